// Package wording puts names and numbers into messages.
package wording
