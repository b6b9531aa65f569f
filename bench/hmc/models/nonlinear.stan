data {
  int N;
  int G;
  array[N] int g;
  vector[N] t;
  vector[N] y;
}
parameters {
  vector[G] za;
  vector[G] zb;
  real mu_a;
  real mu_b;
  real<lower=0> sigma_a;
  real<lower=0> sigma_b;
  real<lower=0> sigma;
}
transformed parameters {
  vector[G] a = exp(mu_a + sigma_a * za);
  vector[G] b = exp(mu_b + sigma_b * zb);
}
model {
  za ~ std_normal();
  zb ~ std_normal();
  mu_a ~ normal(0, 1);
  mu_b ~ normal(0, 1);
  sigma_a ~ normal(0, 1);
  sigma_b ~ normal(0, 1);
  sigma ~ normal(0, 1);
  y ~ normal(a[g] .* exp(-b[g] .* t), sigma);
}
