data {
  int N;
  int K;
  matrix[N, K] X;
  array[N] int y;
}
parameters {
  vector[K] beta;
}
model {
  beta ~ normal(0, 1);
  y ~ bernoulli_logit_glm(X, 0, beta);
}
