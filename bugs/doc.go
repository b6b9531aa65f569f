// Package bugs reads the BUGS language and the data files that go with it, and
// compiles them: [Parse] makes a model file a [Program], [ReadData] makes R's dump
// format and JSON [Data], and [Compile] makes the two a model of package model.
//
// What a program defines in loops stays a loop: each relation becomes one template
// with a row for each turn. Errors name the place in the text, show the line with a
// caret, and say what to do.
package bugs
