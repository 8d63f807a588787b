// Package vfd takes bank transfers in, and pays out, through VFD's wallet API (v2): a virtual account for each payment,
// a status query that we trust, and an unsigned webhook that we do not. The bank writes naira as strings.
package vfd
