// Package live tells open web pages what to read again, over server-sent events. Projections say on the core NATS
// subject adashi.changed what changed, for which users, groups and desks of our own staff; every process hears all of
// it and passes to each of its streams what concerns it. A message's position is in a header and whom it names in its
// JSON, which is read only while somebody looks: until then it is kept as it came. Nothing here is a promise: a page
// that missed something is told to read everything again (the event reset), and Postgres has the truth.
//
// A quiet stream is told at once. A busy one is told a dozen times a second, of all that came meanwhile: each telling
// costs this server and the page as much as a read does.
//
// Changes come in the order in which projections finish, which is not the order of positions. So a stream resumes
// from the first change that carried its last event's position, and hears some twice rather than miss one.
package live
