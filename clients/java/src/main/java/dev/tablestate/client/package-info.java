/**
 * The client of Tablestate, a game-state service for turn-based tabletop games.
 *
 * <p>{@link dev.tablestate.client.TablestateClient} is where to begin. Messages, and the generated
 * stubs, are in {@code dev.tablestate.v1}.
 */
@NullMarked
package dev.tablestate.client;

import org.jspecify.annotations.NullMarked;
