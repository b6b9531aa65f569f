package main

type textCmd struct {
	Train      textTrainCmd      `cmd:"" name:"train" help:"Train an n-gram language model."`
	Perplexity textPerplexityCmd `cmd:"" name:"perplexity" help:"Tell how well a language model predicts a text."`
}
