// Package vfd takes bank transfers in, and pays out, through VFD's wallet API (v2): a virtual account for each payment,
// a status query that is believed, and an unsigned webhook that is not. The bank speaks naira in strings.
package vfd
