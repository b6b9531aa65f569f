/* hives.bug by a script of JAGS, from the folder above */
model in examples/hives.bug
data in examples/hives.R
compile, nchains(4)
initialize
adapt 1000
monitor beta
monitor sigma
monitor apiary.effect, thin(10)
monitor lost, type(mean)
update 1000
coda *
exit
