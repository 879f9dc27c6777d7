"""One value for each kind of row, with no field at its default."""

from __future__ import annotations

from dataclasses import MISSING, fields, replace
from typing import TypeVar

from bot.model.bank import Action, AuditEntry, BankTerms, SeasonTerms
from bot.model.bulletins import (
    Bulletin,
    BulletinKind,
    Climb,
    CloseFinish,
    DailyBest,
    EventPlace,
    Highlight,
    PlayerPair,
    Recap,
    RecapLine,
    Victory,
    WeekBadge,
    WeekPoints,
)
from bot.model.careers import Badge, Career, EarnedBadge, RecordEntry, RecordKind, Versus
from bot.model.choices import BoardSize, Calls, DeckColours, MemberSettings, ServerSettings, Template
from bot.model.clock import Clock, Pace
from bot.model.daily import Attempt, Challenge, ChallengeId, Series, Streak
from bot.model.events import (
    Call,
    Entrant,
    EntrantState,
    Event,
    EventDraft,
    EventFact,
    EventPosting,
    EventTable,
    FormerDecks,
    Notice,
    Phase,
    Repeat,
    RepeatInterval,
    WaitingPlayer,
)
from bot.model.hands import DealRecord, HandRecord, HandState, Result, SharedDeal
from bot.model.ids import EventKey, GuildId, Player, TableId, TableKey
from bot.model.mistakes import JudgedDecision, Learner, Mistake
from bot.model.privacy import RetainedRecord, UsedRight, UsedRightKind
from bot.model.puzzles import (
    DayAnswer,
    DayPuzzle,
    FoundPuzzle,
    PuzzleAttempt,
    PuzzleName,
    PuzzleRecord,
    Repetition,
    Solver,
)
from bot.model.standings import ClubPage, LeaderboardOrder, LeaderboardSpan, Season, Standing
from bot.model.start_polls import StartPoll
from bot.model.tables import HouseGame, Limits, Posting, PostKind, Seat, Table, TableState, Terms, WaitReason
from bot.pure.event.pairings import Pairings
from bot.pure.event.scoring import Scoring
from bot.pure.event.seeding import Seeding
from bot.pure.event.structure import Format, Leaving, NoShow, Structure
from bot.pure.event.ties import Ties
from bot.pure.ofc.deck import DealInputs
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import CLASSIC, PINEAPPLE
from bot.pure.ofc.proof import Leaf
from bot.pure.ofc.settlement import WinCap
from bot.pure.rating.model import Luck, Rating, RatingVersion
from bot.pure.solver.comparison import ExpectedResults
from bot.pure.trainer.correction import Correction
from bot.pure.trainer.puzzle import PuzzlePlacement
from bot.pure.trainer.themes import Theme

GUILD, OTHER_GUILD = GuildId(2**62), GuildId(7)
TABLE_KEY = TableKey(guild=GUILD, table=TableId(1))
EVENT_KEY = EventKey(guild=GUILD, number=1)
ANN, BOB, CLEO = Player(str(2**63 - 1)), Player("2"), Player("3")
AT = 1_800_000_000_000

T = TypeVar("T")


def unusual(value: T) -> T:
    """Return the value with every default flag inverted and every default number increased by three.

    This way, a table's option needs no sample of its own.
    """
    changed: dict[str, object] = {}
    for field in fields(value):  # type: ignore[arg-type]
        if field.default is MISSING or getattr(value, field.name) != field.default:
            continue
        if isinstance(field.default, bool):
            changed[field.name] = not field.default
        elif isinstance(field.default, int):
            changed[field.name] = field.default + 3
    return replace(value, **changed)  # type: ignore[type-var]


TABLE = Table(
    key=TABLE_KEY,
    channel=2**61,
    host=ANN,
    language="ja",
    in_words=True,
    terms=unusual(
        Terms(
            variant=PINEAPPLE,
            point_value=10,
            buy_in=1000,
            max_seats=3,
            clock=Clock(pace=Pace.PER_TURN, seconds=60),
            limits=Limits(win_cap=WinCap.NONE, bust_is_final=True, levels=(50, 100), level_hands=4, top_up=False),
        )
    ),
    state=TableState.PLAYING,
    hand_no=4,
    button=2,
    turn_since=AT,
    commitment=bytes(range(32)),
    sealed_seed=b"\0sealed\xff",
    tree_from=3,
    epoch="later",
    root_message=2**59,
    version=9,
    drawn_version=8,
    message=2**60,
    retired=5,
    call=6,
    created_at=AT - 1,
    called="5:1:7:",
    stood_still=1_500,
    closed_reason="empty",
    event_no=12,
    number_in_event=3,
    private=True,
    threaded=True,
    home=2**55,
    removed=(BOB, CLEO),
    invited=(BOB, CLEO),
    watched=False,
)
SEAT = Seat(
    number=2,
    player=ANN,
    dealt_in=True,
    leaving=True,
    away=True,
    timeouts=3,
    fantasyland=14,
    entropy="運 🍀",
    deadline=AT + 1,
    remind_at=AT + 2,
    reminded=True,
    left_ms=4_000,
    bank_ms=5_000,
    out_since=3,
    tops_up=True,
    moves_to=1,
    ready_for=5,
    waits_until=AT + 7,
    draft="FM.",
    draft_for="4.3",
    ahead="press 7",
)
HAND = HandRecord(
    hand_no=4,
    variant=CLASSIC,
    state=HandState.VOID,
    commitment=b"c" * 32,
    sealed_seed=b"s" * 68,
    entropy=((ANN, "運 🍀 \0 \" ' \\"), (BOB, ""), (Player("computer-1"), "")),
    point_value=10,
    started_at=AT,
    ended_at=AT + 1,
    reason="seed_lost",
    shared=SharedDeal(name="7/event/3/1", entropy=((ANN, '運 \0 "'), (BOB, ""))),
    deal=DealRecord(
        epoch="later",
        leaf=Leaf(place=1, path=(b"p" * 32, b"q" * 32)),
        dealt=DealInputs(button=1, fantasyland=(0, 14)),
    ),
    told_in=21,
    told_by=22,
    kept_deck=b"deck\0",
    kept_entropy=b"\x02entropy",
)
RESULT = Result(
    player=BOB,
    points=-3,
    chips=-30,
    fantasyland=14,
    foul=True,
    ranked=True,
    game="pineapple",
    royalties=7,
    in_fantasyland=True,
    seat=2,
    met=2,
    scoops=1,
    royal=True,
    played=False,
    wins_in_row=3,
    lands_in_row=2,
)
STANDING = Standing(player=BOB, hands=9, points=-3, chips=-30, visits=4, stays=2, royalties=70, fouls=3, best=25)
CAREER = Career(met=9, scoops=2, best_royalties=31, best_table=4, best_hand=7)
VERSUS = Versus(other=BOB, hands=9, ahead=5, behind=3, chips=-40, lessons=8)
EARNED = EarnedBadge(badge=Badge.MONTH_CHIPS, at=AT, table=4, hand_no=7, since=AT - 1)
FEAT = RecordEntry(kind=RecordKind.WINS, game="pineapple", player=BOB, value=7, at=AT, table=4, hand_no=7)
RATING = Rating(mean=-0.812345, deviation=0.3, hands=250, at=1_700_000_000_000)
LUCK = Luck(squares=1234.567891, freedom=500)
BOOK = RatingVersion(model=7, lessons=31)
SEASON = Season(
    number=3,
    name="秋 🍁",
    began_at=AT,
    until=AT + 2,
    ended_at=AT + 1,
    title="王者",
    role=71,
    role_by=Player("2"),
    channel=72,
    sending_at=AT + 3,
    told=False,
    role_missed=True,
    post_missed=True,
)
SEASON_TERMS = SeasonTerms(monthly=True, reset_chips=True, role=71, role_by=Player("3"), title="王者", channel=72)
CLUB_PAGE = ClubPage(
    channel=73,
    order=LeaderboardOrder.POINTS,
    follows_play=False,
    span=LeaderboardSpan.SEASON,
    game="pineapple",
    in_words=True,
    at_bottom=True,
    message=74,
    shown="0123",
    shown_at=75,
)
START_POLL = StartPoll(
    guild=GUILD,
    number=3,
    channel=76,
    language="ja",
    zone="Asia/Tokyo",
    times=(AT + 1, AT + 2),
    hours=24,
    asked_at=AT,
    message=77,
    closes_at=AT + 3,
)
BULLETIN = Bulletin(
    kind=BulletinKind.RECAP,
    channel=73,
    hour=23,
    weekday=6,
    zone="Asia/Tokyo",
    in_words=True,
    chosen_at=74,
    told=75,
    sending=76,
    puzzle=True,
)
DEED = Highlight(player=CLEO, number=-123, table=TableId(7), tag="0123ab", hand_no=8)
RECAP = Recap(
    number=3,
    since=70,
    until=77,
    channel=73,
    hands=12,
    players=4,
    event_hands=230,
    event_players=25,
    events=7,
    top=[RecapLine(player=BOB, chips=-5, hands=6)],
    climbs=[Climb(player=BOB, places=2, rank=1)],
    boards=[DEED],
    lucky=[DEED],
    unlucky=[DEED],
    finishes=[CloseFinish(winner=BOB, second=CLEO, points=1, hands=9, table=TableId(7))],
    masters=[CLEO],
    pairs=[PlayerPair(first=BOB, second=CLEO, hands=4)],
    victories=[Victory(event="金曜の会", player=BOB)],
    podium=[EventPlace(event="金曜の会", people=25, place=1, player=CLEO, won=500)],
    event_points=[WeekPoints(player=BOB, points=31, events=3)],
    badges=[WeekBadge(player=CLEO, badge="royal_flush")],
    dailies=[DailyBest(player=BOB, points=-2)],
)
POSTING = Posting(number=1, key=TABLE_KEY, kind=PostKind.VOID, hand_no=4)
TEMPLATE = Template(name="金曜の卓", table=TableId(7))
HOUSE_GAME = HouseGame(name="金曜", variant=house_variant("pineapple", {"fantasyland.entry": "KK"}))
SERVER = ServerSettings(
    organiser_role=2**60,
    stand_ins=True,
    event_role=2**55,
    zone="Asia/Tokyo",
    language="ja",
    game=house_variant("pineapple", {"fantasyland.entry": "KK"}, name="金曜"),
    point_value=50,
    pace=Pace.LIVE,
    turn_seconds=25,
    channels=(2**61, 2**60),
    threads=True,
    in_words=True,
    host_role=2**59,
    told_role=2**58,
    told_role_by=Player("2"),
    told_at=AT + 1,
    told_table=7,
    welcomed_at=AT,
    welcome_channel=2**57,
    welcome_message=2**56,
    left_at=AT + 1,
)
WISHES = MemberSettings(
    language="ja",
    calls=Calls.NEVER,
    reminders=False,
    confirm_at_once=True,
    deck=DeckColours.TWO,
    size=BoardSize.COMPACT,
    text_only=True,
    profile_visible=False,
    hands_shared=True,
    shown="t12",
    has_confirmed=True,
    series_calls=False,
    mistake_line=False,
    gives_puzzles=False,
    new_table='{"seats": 3}',
    vacation_from=AT,
    vacation_until=AT + 9,
    vacation_year=2027,
    vacation_used=5,
    zone="America/New_York",
    quiet_from=22,
    quiet_until=7,
    digest_at=9,
    digest_due=AT + 11,
    digest_channel=2**54,
    digest_message=2**61,
)
STRUCTURE = Structure(
    format=Format.TOURNAMENT,
    table_seats=3,
    most=200,
    least=4,
    stack=20_000,
    levels=(100, 200),
    level_hands=0,
    level_minutes=20,
    break_levels=2,
    break_minutes=7,
    late_levels=1,
    reentries=2,
    third_place=True,
    win_cap=WinCap.NONE,
    bust_is_final=False,
    rounds=3,
    pairings=Pairings.SWISS,
    groups=5,
    through=1,
    round_hands=6,
    round_hours=24,
    fee=500,
    bounty=200,
    bounty_grows=True,
    added=1000,
    payouts=(70, 30),
    ties=Ties.SHARE,
    titles=("チャンピオン", 'a "title"'),
    roles=(2**60, 0),
    scoring=Scoring.ROOT,
    counted=5,
    check_in_minutes=15,
    no_show=NoShow.BLIND,
    leaving=Leaving.REMOVE,
    seeding=Seeding.HAND,
    handicap=True,
    threads=False,
    channels=(2**60 + 1, 7),
)
EVENT = Event(
    key=EVENT_KEY,
    name="金曜 🍀 'cup'",
    organiser=ANN,
    helpers=(BOB, CLEO),
    channel=2**61,
    language="ja",
    variant=PINEAPPLE,
    structure=STRUCTURE,
    clock=Clock(pace=Pace.PER_TURN, seconds=60),
    series="Friday",
    description="Bring a friend.",
    page="0dJ3y-xWm_4vQe8sLkZ2aTbN",
    phase=Phase.RUNNING,
    starts_at=AT,
    created_at=AT - 9,
    started_at=AT + 1,
    ended_at=AT + 2,
    reason="too_few",
    commitment=bytes(range(32)),
    sealed_seed=b"\0sealed\xff",
    seed=b"seed\0",
    level=3,
    level_ends_at=AT + 3,
    breaks=1,
    break_until=AT + 4,
    paused=True,
    round=2,
    round_began_at=AT + 5,
    moment=17,
    hand_for_hand=True,
    final_table=True,
    board=8,
    compared=7,
    epoch="1a",
    decks_epoch="2b",
    board_commitment=b"b" * 32,
    board_sealed=b"board",
    kept_draw=b"\x01draw",
    calls=(
        Call(notice=Notice.SOON, at=5, message=6),
        Call(notice=Notice.MISSING, at=7, message=8, channel=2**53),
    ),
    former_decks=(FormerDecks(epoch="1a", commitment=b"c" * 32, sealed=b"\x00old"),),
    reminded=True,
    alarm_at=AT + 6,
    version=9,
    drawn_version=8,
    message=2**60,
    scheduled=2**59,
    repeat=Repeat(every=RepeatInterval.FORTNIGHT, zone="Asia/Tokyo", minute=1260),
    repeats_as="3-1a2b3c",
    repeats_changes=17,
    scheduled_as="Friday|1",
    desk_channel=2**58,
    desk_message=2**57,
)
ENTRANT = Entrant(
    player=ANN,
    state=EntrantState.PLAYING,
    registered_at=AT,
    cause="press 運",
    adds="own 文",
    entries=2,
    number=5,
    score=-40,
    hands=12,
    out_moment=3,
    out_stack=900,
    out_order=1,
    place=4,
    prize=700,
    end_place=3,
    end_prize=700,
    played=True,
    disqualified=True,
    seeded=7,
    head=8,
    bounties=9,
    penalty=6,
    move_to=TableId(8),
    absent=True,
)
WAITING = WaitingPlayer(player=ANN, turn=-2, since=AT, offered_until=AT + 60_000)
SITTING = EventTable(
    table=TABLE_KEY.table,
    round=2,
    match=3,
    played=4,
    extra=True,
    accounted=5,
    board=6,
    waits=WaitReason.BREAK,
    threaded=True,
    held=True,
    over=True,
)
FACT = EventFact(number=3, kind="ruled", details={"text": "運", "hands": [1, 2]}, actor=ANN, at=AT)
EVENT_POSTING = EventPosting(number=1, key=EVENT_KEY, notice=Notice.SAID, details={"text": "運", "n": None}, at=AT)
DRAFT = EventDraft(guild=GUILD, organiser=ANN, values={"name": "運", "levels": [1, 2], "fee": None}, at=AT)
CHALLENGE = Challenge(
    number=ChallengeId(3),
    series=Series.WEEKLY,
    day=20_780,
    game=house_variant("pineapple", {"jokers": "2"}),
    name="weekly/2026-11-22/3-18c2f0",
    commitment=b"c" * 32,
    sealed_seed=b"s" * 68,
    epoch="later",
    seed=b"t" * 32,
    lost=True,
    master=(("BBBMM", "FMD"), ("FFFMM", "BBD")),
)
ATTEMPT = Attempt(challenge=ChallengeId(3), player=ANN, begun_at=AT, points=-6, ended_at=AT + 1, shared_in=2**61)
STREAK = Streak(last=20_780, days=9, best=12, frozen=2)
PUZZLE_NAME = PuzzleName("0123456789ab")
PUZZLE = PuzzleRecord(name=PUZZLE_NAME, rating=Rating(mean=-0.25, deviation=0.6, hands=7), solved=3, withdrawn=True)
SOLVER = Solver(
    rating=Rating(mean=1.25, deviation=0.4, hands=9, at=AT),
    theme=Theme.FOUL_RISK,
    games=("pineapple", "classic"),
    harder=-2,
    shown=PUZZLE_NAME,
)
PUZZLE_ATTEMPT = PuzzleAttempt(
    number=4,
    puzzle=PUZZLE_NAME,
    letters="FMD",
    cost=253,
    solved=True,
    rated=True,
    moved=-0.125,
    at=AT,
    cause="press",
    forgiven=True,
)
DAY_PUZZLE = DayPuzzle(number=5, puzzle=PUZZLE_NAME, asked_at=AT, ends_at=AT + 9, people=7, solved=3)
DAY_ANSWER = DayAnswer(player=CLEO, letters="FMD", at=AT, cause="press", rated=True)
LEARNER = Learner(since=AT, shown=PUZZLE_NAME)
JUDGED_DECISION = JudgedDecision(number=2, street=3, lost=140, theme=Theme.DISCARD)
_PLACEMENT = PuzzlePlacement(
    letters="FMD", value=1.25, facts=ExpectedResults(foul=0.125, fantasyland=0.25, royalties=3.5)
)
MISTAKE = Mistake(
    name=PUZZLE_NAME,
    guild=GuildId(2**61),
    table=TableId(4),
    hand_no=9,
    number=2,
    at=AT,
    correction=Correction(
        placements=(_PLACEMENT,),
        placed=replace(_PLACEMENT, letters="MFD"),
        costs={"FMD": 0.0, "MFD": 1.25},
        right=("FMD",),
        theme=Theme.DISCARD,
    ),
    whole=True,
    due_at=AT + 7,
    last_at=AT,
    stability=2.5,
    difficulty=6.25,
    tries=2,
    letters="FMD",
    cost=12,
    solved=True,
    cause="press",
    candidate=True,
)
FOUND_PUZZLE = FoundPuzzle(
    name=PUZZLE_NAME,
    game="pineapple",
    edition=1,
    theme=Theme.DRAW,
    difficulty=Rating(mean=-0.5, deviation=0.75),
    line='{"game":"pineapple"}',
    verified_by="1.2",
)
REPETITION = Repetition(puzzle=PUZZLE_NAME, due_at=AT + 7, last_at=AT, stability=2.5, difficulty=6.25)
MEMORY = UsedRight(kind=UsedRightKind.VACATION, number=2_027, used=86_400_000, until=AT + 5)
REMEMBERED = RetainedRecord(until=AT + 9, frozen=True, sent=700, sent_at=AT, refill_at=AT - 1, bonus_at=AT - 2)
TERMS = BankTerms(
    refill_to=1_500,
    refill_hours=12,
    bonus=250,
    bonus_hours=8,
    account_days=30,
    hands=5,
    transfer_cap=10_000,
    transfer_fee=5,
    audit_channel=2**61,
)
AUDIT_ENTRY = AuditEntry(
    manager=ANN, player=BOB, action=Action.TAKE, chips=-500, reason="Twice the same prize", at=AT, number=7
)
