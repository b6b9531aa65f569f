data {
  int N;
  int K;
  matrix[N, K] X;
  array[N] int y;
}
parameters {
  vector[K] beta;
  ordered[4] c;
}
model {
  beta ~ normal(0, 1);
  c ~ normal(0, 5);
  for (k in 1:3) target += -normal_lccdf(c[k] | 0, 5);
  y ~ ordered_probit(X * beta, c);
}
