"""The messages and services of the contract, generated from `proto/tablestate/v1`."""
