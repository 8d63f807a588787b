// Package people knows who the members are: accounts, e-mail verification, passwords, sessions, second factors and
// name cards. It owns the tables accounts, sessions, email_links, devices, known_devices, totp, recovery_codes and tries,
// and it is the only room that holds passwords; the ledger knows opaque user ids.
//
// Authoritative for a session is its row. A process keeps what it read for a few seconds, so a logout ends a session
// at once in its own process, and in the others as soon as core NATS says so, or a few seconds later without NATS.
// A session is a token and a second secret, which never travel together: neither opens anything alone, and a token
// without its secret does the session no harm.
//
//	registered ──VerifyEmail──▶ verified ──Login──▶ session ──Logout | idle 24 h | 14 days | sixth login | new password,
//	                                                          reset, new e-mail, erasure (all sessions)──▶ ended
//
// Wrong passwords and codes are answered ever more slowly, up to five minutes apart, and never locked out for good:
// the counts are in Postgres and outlive restarts. Strangers count apart from devices that the account knows and from
// open sessions, so that they shut nobody out: see passwordsAt. A right one, or a reset by mail, forgets what was its own.
//
// The erased are left as rows without a name, an address, a birth date or a password.
package people
