// Package files judges what members upload, and keeps it in the vault. What a file is is told by its content alone;
// its name is never used. An image is decoded and written anew, so that nothing but its picture remains; a PDF that
// can do anything but be read is refused.
package files
