-- What names somebody is found by their name: exporting and deleting read no whole table. Where an index began with the
-- server, it begins with the player now, which serves both.

DROP INDEX result_of_player;
CREATE INDEX result_of_player ON result (player, guild_id, at, table_id, hand_no);
DROP INDEX seat_by_player;
CREATE INDEX seat_by_player ON seat (player, guild_id);
DROP INDEX entrant_by_player;
CREATE INDEX entrant_by_player ON entrant (player, guild_id);
DROP INDEX audit_by_player;
CREATE INDEX audit_by_player ON audit (player, guild_id, number);
DROP INDEX seat_refusal_by_other;
CREATE INDEX seat_refusal_by_other ON seat_refusal (other, guild_id);

CREATE INDEX account_by_owner ON account (owner, guild_id);
CREATE INDEX freeze_by_player ON freeze (player, guild_id);
CREATE INDEX audit_by_manager ON audit (manager, guild_id);
CREATE INDEX game_table_by_host ON game_table (host, guild_id);
CREATE INDEX game_table_invited ON game_table (guild_id, table_id) WHERE invited <> '[]';
CREATE INDEX event_by_actor ON event (actor, guild_id, table_id) WHERE actor IS NOT NULL;
CREATE INDEX standing_by_player ON standing (player, guild_id);
CREATE INDEX rating_by_player ON rating (player, guild_id);
CREATE INDEX career_by_player ON career (player, guild_id);
CREATE INDEX versus_by_player ON versus (player, guild_id);
CREATE INDEX versus_by_other ON versus (other, guild_id);
CREATE INDEX badge_by_player ON badge (player, guild_id);
CREATE INDEX tournament_by_organiser ON tournament (organiser, guild_id);
CREATE INDEX tournament_helped ON tournament (guild_id, tournament_id) WHERE helpers <> '[]';
CREATE INDEX tournament_match_by_winner ON tournament_match (winner, guild_id);
CREATE INDEX tournament_log_by_actor ON tournament_log (actor, guild_id) WHERE actor IS NOT NULL;
CREATE INDEX tournament_draft_by_organiser ON tournament_draft (organiser, guild_id);
CREATE INDEX house_game_by_changer ON house_game (changed_by, guild_id);
CREATE INDEX table_template_by_saver ON table_template (saved_by, guild_id);
CREATE INDEX member_by_player ON member (player, guild_id);
CREATE INDEX seat_refusal_by_player ON seat_refusal (player, guild_id);
CREATE INDEX attempt_by_player ON attempt (player);
CREATE INDEX attempt_fact_by_player ON attempt_fact (player);
