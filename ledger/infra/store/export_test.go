package store

// SelectStreams is for looking at how it is carried out.
const SelectStreams = selectStreams

// ByKey is how a connection is set for it.
const ByKey = byKey
