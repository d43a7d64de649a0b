/** What can go wrong, as typed exceptions: the class says what a caller can do about it. */
@NullMarked
package dev.tablestate.client.errors;

import org.jspecify.annotations.NullMarked;
