/** The messages of the contract, as the generator makes them from the protos. */

export * from "./gen/tablestate/v1/batch_pb.js";
export * from "./gen/tablestate/v1/catalog_service_pb.js";
export * from "./gen/tablestate/v1/engine_service_pb.js";
export * from "./gen/tablestate/v1/error_reason_pb.js";
export * from "./gen/tablestate/v1/eternitium_pb.js";
export * from "./gen/tablestate/v1/evaluate_pb.js";
export * from "./gen/tablestate/v1/feed_pb.js";
export * from "./gen/tablestate/v1/game_pb.js";
export * from "./gen/tablestate/v1/match_pb.js";
export * from "./gen/tablestate/v1/match_service_pb.js";
export * from "./gen/tablestate/v1/off_the_rails_pb.js";
export * from "./gen/tablestate/v1/offboard_pb.js";
export * from "./gen/tablestate/v1/offtrack_pb.js";
export * from "./gen/tablestate/v1/play_pb.js";
export * from "./gen/tablestate/v1/search_pb.js";
