package main

import "log"

func main() {
	if err := writePicture("examples/lighthouse.png"); err != nil {
		log.Fatal(err)
	}
}
