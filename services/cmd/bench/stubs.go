package main

var (
	relaying, projecting, projectingAll, history, livePages, growing, processes benchmark
)
