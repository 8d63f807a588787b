package main

var (
	livePages, growing, processes benchmark
)
