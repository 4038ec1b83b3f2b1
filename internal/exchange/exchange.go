// Package exchange brings records in from other layouts and out into them. What it cannot read it lists, and it overwrites nothing.
package exchange
