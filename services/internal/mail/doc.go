// Package mail keeps the letters that are to go out, in the caller's own transaction: a letter exists exactly when
// what it tells of does. It owns the table mail_outbox. A Sender sends them over SMTP; without one they stay, and
// Inbox shows them. A letter is kept as its form and what it says, a few hundred bytes, and written when it is sent.
//
//	QUEUED ──sent──▶ SENT                       (its text is forgotten: it may hold a link that opens an account)
//	   └──refused, tried again for a day──▶ GIVEN_UP  (until somebody has it tried again; forgotten after a month)
//
// Sending is at least once: a crash, or a line that breaks after the server took the letter and before we heard so,
// sends it again. Each time it has the same Message-ID, by which mailboxes may tell.
//
// Letters hold names, addresses and links. None of that goes into a log: a line names the letter's number alone.
package mail
