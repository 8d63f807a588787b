package history

// SelectStream is for the test of how it is found.
const SelectStream = selectStream
