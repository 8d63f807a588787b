package main

var (
	history, livePages, growing, processes benchmark
)
