// Package wording puts names, numbers and what users wrote into messages.
package wording
