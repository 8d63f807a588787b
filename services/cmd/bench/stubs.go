package main

var (
	processes benchmark
)
