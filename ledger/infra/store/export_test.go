package store

// SelectStreams is for a test of its query plan.
const SelectStreams = selectStreams

// ByKey is the connection setting for that.
const ByKey = byKey
