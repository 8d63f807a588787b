// Package people knows who the members are: accounts, e-mail verification, sessions and name cards. It owns the
// tables accounts, sessions and email_links, and it is the only room that holds names, e-mails and passwords; the
// ledger knows opaque user ids.
//
// Authoritative for a session is its row. A process keeps what it read for a few seconds, so a logout ends a session
// at once in its own process, and in the others as soon as core NATS says so, or a few seconds later without NATS.
//
//	registered ──VerifyEmail──▶ verified ──Login──▶ session ──Logout | idle 24 h | 14 days | sixth login──▶ ended
package people
