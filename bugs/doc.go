// Package bugs reads the BUGS language and the data files that go with it: a
// model file becomes a [Program], R's dump format and JSON become [Data].
package bugs
