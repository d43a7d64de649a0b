// Package tablestate is the Go client of Tablestate, a game-state service for turn-based tabletop
// games.
//
// A [Client] creates matches and finds them; a [HostedMatch] is a match in the hands of whoever
// created it, a [SeatedPlayer] a seat in the hands of its player. All answers are messages of
// package tablestatev1, which is generated from the contract and whose comments are the manual.
//
// Every call takes a context first. Its deadline is that of all attempts together; without one the
// client's timeout holds. What a call failed with is a [*CallError], by [errors.As]; errors that
// carry facts have a type of their own, as [*IllegalActionError].
package tablestate

// Version is that of this client, and of the contract that it is generated from.
const Version = "0.1.0"
