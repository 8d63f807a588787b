// Package files checks members' uploads, and stores them in the vault. It determines a file's type from its content
// alone; it never uses its name. It decodes and re-encodes an image, so that nothing but the picture remains; it
// refuses a PDF with any active content.
package files
