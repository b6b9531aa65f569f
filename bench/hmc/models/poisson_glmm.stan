data {
  int N;
  int K;
  int G;
  matrix[N, K] X;
  array[N] int g;
  array[N] int y;
}
parameters {
  real alpha;
  vector[K] beta;
  vector[G] z;
  real<lower=0> sigma;
}
transformed parameters {
  vector[G] u = sigma * z;
}
model {
  alpha ~ normal(0, 5);
  beta ~ normal(0, 1);
  z ~ std_normal();
  sigma ~ normal(0, 1);
  y ~ poisson_log_glm(X, alpha + u[g], beta);
}
