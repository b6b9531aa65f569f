package main

type textCmd struct {
	Train      textTrainCmd      `cmd:"" name:"train" help:"Train an n-gram language model."`
	Perplexity textPerplexityCmd `cmd:"" name:"perplexity" help:"Tell how well a language model predicts a text."`
	Generate   textGenerateCmd   `cmd:"" name:"generate" help:"Write sentences with keywords."`
	Paraphrase textParaphraseCmd `cmd:"" name:"paraphrase" help:"Say a sentence in other words."`
	Correct    textCorrectCmd    `cmd:"" name:"correct" help:"Correct spelling and grammar of a sentence."`
	Fill       textFillCmd       `cmd:"" name:"fill" help:"Fill the blanks of a template."`
	Compose    textComposeCmd    `cmd:"" name:"compose" help:"Compose verse of a form, with its tones and rhymes."`
}
