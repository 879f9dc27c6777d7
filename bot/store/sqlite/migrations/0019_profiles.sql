-- What a player's profile shows, kept in the transaction that settles: scoops, the best board, who was met, badges.

-- How many opponents a board was compared with, how many of them it scooped, and whether it held a royal flush. None of
-- it was kept before.
ALTER TABLE result ADD COLUMN met INTEGER NOT NULL DEFAULT 0;
ALTER TABLE result ADD COLUMN scoops INTEGER NOT NULL DEFAULT 0;
ALTER TABLE result ADD COLUMN royal INTEGER NOT NULL DEFAULT 0 CONSTRAINT result_royal CHECK (royal IN (0, 1));

-- A player's last hands for chips are found by one search.
DROP INDEX result_by_player;
CREATE INDEX result_form ON result (guild_id, player, at, table_id, hand_no, points) WHERE ranked = 1;

-- Of all hands for chips. The best board is that with the most royalties, the first of equals; table 0 for none yet.
CREATE TABLE career (
    guild_id INTEGER NOT NULL,
    player TEXT NOT NULL,
    met INTEGER NOT NULL,
    scoops INTEGER NOT NULL,
    best_royalties INTEGER NOT NULL,
    best_table INTEGER NOT NULL,
    best_hand INTEGER NOT NULL,
    CONSTRAINT career_key PRIMARY KEY (guild_id, player)
) STRICT;
INSERT INTO career (guild_id, player, met, scoops, best_royalties, best_table, best_hand)
SELECT guild_id, player, 0, 0, royalties, CASE WHEN royalties > 0 THEN table_id ELSE 0 END,
    CASE WHEN royalties > 0 THEN hand_no ELSE 0 END
FROM (
    SELECT guild_id, player, royalties, table_id, hand_no, ROW_NUMBER() OVER (
        PARTITION BY guild_id, player ORDER BY royalties DESC, at, table_id, hand_no
    ) AS place
    FROM result WHERE ranked = 1
) AS ranked WHERE place = 1;

-- Two players in the hands for chips that both played, once from each side: how often the player made more points than
-- the other, or fewer, and the chips that went from the other to them.
CREATE TABLE versus (
    guild_id INTEGER NOT NULL,
    player TEXT NOT NULL,
    other TEXT NOT NULL,
    hands INTEGER NOT NULL,
    ahead INTEGER NOT NULL,
    behind INTEGER NOT NULL,
    chips INTEGER NOT NULL,
    CONSTRAINT versus_key PRIMARY KEY (guild_id, player, other)
) STRICT;
INSERT INTO versus (guild_id, player, other, hands, ahead, behind, chips)
SELECT guild_id, player, other, SUM(hands), SUM(ahead), SUM(behind), SUM(chips) FROM (
    SELECT r.guild_id, r.player, o.player AS other, 1 AS hands, CASE WHEN r.points > o.points THEN 1 ELSE 0 END AS ahead,
        CASE WHEN r.points < o.points THEN 1 ELSE 0 END AS behind, 0 AS chips
    FROM result r JOIN result o ON o.guild_id = r.guild_id AND o.table_id = r.table_id AND o.hand_no = r.hand_no
        AND o.player <> r.player
    WHERE r.ranked = 1
    UNION ALL SELECT t.guild_id, a.owner, b.owner, 0, 0, 0, CASE WHEN t.payee = a.account_id THEN t.amount ELSE -t.amount END
    FROM transfer t JOIN account a ON a.account_id = t.payer OR a.account_id = t.payee
        JOIN account b ON b.account_id = t.payer + t.payee - a.account_id
        JOIN result r ON r.guild_id = t.guild_id AND r.table_id = t.table_id AND r.hand_no = t.hand_no
            AND r.player = a.owner AND r.ranked = 1
    WHERE t.kind = 'hand'
) AS sides GROUP BY guild_id, player, other;

-- What a player is proud of, each once in a server: with the hand that earned it, table 0 where it was none.
CREATE TABLE badge (
    guild_id INTEGER NOT NULL,
    player TEXT NOT NULL,
    badge TEXT NOT NULL,
    at INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    hand_no INTEGER NOT NULL,
    CONSTRAINT badge_key PRIMARY KEY (guild_id, player, badge)
) STRICT;
INSERT INTO badge (guild_id, player, badge, at, table_id, hand_no)
SELECT guild_id, player, badge, at, table_id, hand_no FROM (
    SELECT guild_id, player, badge, at, table_id, hand_no, ROW_NUMBER() OVER (
        PARTITION BY guild_id, player, badge ORDER BY at, table_id, hand_no
    ) AS place
    FROM (
        SELECT guild_id, player, 'great_board' AS badge, at, table_id, hand_no FROM result
        WHERE ranked = 1 AND royalties >= 30
        UNION ALL SELECT guild_id, player, 'three_fantasylands', at, table_id, hand_no FROM (
            SELECT guild_id, player, at, table_id, hand_no, stayed, LAG(stayed) OVER (
                PARTITION BY guild_id, player, table_id ORDER BY hand_no
            ) AS before
            FROM (
                SELECT guild_id, player, at, table_id, hand_no,
                    CASE WHEN in_fantasyland = 1 AND fantasyland > 0 THEN 1 ELSE 0 END AS stayed
                FROM result WHERE ranked = 1
            ) AS stays
        ) AS runs WHERE stayed = 1 AND before = 1
        UNION ALL SELECT n.guild_id, n.player, 'event_won', t.ended_at, 0, 0
        FROM entrant n JOIN tournament t ON t.guild_id = n.guild_id AND t.tournament_id = n.tournament_id
        WHERE t.phase = 'ended' AND n.place = 1 AND t.ended_at IS NOT NULL
    ) AS earned
) AS counted WHERE place = 1;

-- False for players who keep their profile to themselves.
ALTER TABLE member ADD COLUMN profile_visible INTEGER NOT NULL DEFAULT 1
    CONSTRAINT member_profile_visible CHECK (profile_visible IN (0, 1));
