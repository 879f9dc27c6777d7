"""Every verb of presses and pages, by its effect and the terms that it carries.

Verbs that *spend* take chips from the user. Verbs that *commit* play cards, take or leave a seat, or change a table, an
event or a server permanently. Verbs that *toggle* switch something, or choose one of several values. The others only
show, ask, or change a draft.
"""

from __future__ import annotations

from collections.abc import Mapping

TERMS = "terms"
"""A digest of the displayed terms, compared at the press."""
SEEN = "seen"
"""The table or event with its tag, and the state that was displayed: hand, street and draft, if any.

The rest of the effect is fixed, or confirmed in words.
"""
WANTED = "wanted"
"""The wanted state or value, in the verb, in the id or as the chosen option."""
WRITTEN = "written"
"""A form as submitted by its author, with its subject."""

SPENDS = {
    TERMS: "join sit seat rebuy new_open ev_register ev_take",
    # A closed table keeps its terms. Before it calls others, it asks with the buy-in.
    # The yes to an act of a table carries the terms of those that take chips, and asks again under others.
    SEEN: "again tb_act_yes",
    # The form has a digest of the terms too, and opens again with those that hold now.
    WRITTEN: "chips_sent",
}
TABLE_ACTS_FOR_CHIPS = ("join", "quick", "queue", "rebuy", "top_up")
"""Acts of ``/ofc table`` that take chips."""
COMMITS = {
    TERMS: "ev_checkin ev_form_publish ev_leave ev_d_correct ev_d_flight ev_d_series ev_d_strike",
    SEEN: (
        "confirm ahead take_back declare give_up day_begin day_confirm day_declare pz_confirm mi_confirm next_hand "
        "start start_now stop "
        "practise practise_new leave stay come_back add_computer level make_host remove invited "
        "out_everywhere vacation_over ev_withdraw ev_return ev_fill ev_begin ev_back_in ev_unregister ev_d_register "
        "ev_pass ev_d_top ev_d_unqueue ev_d_add_table ev_d_later "
        "ev_d_check_in ev_d_unlist ev_d_back_in ev_d_call ev_d_call_all ev_d_call_at ev_d_more ev_d_stay ev_d_undo "
        "ev_d_page_off "
        "ev_seed_clear ev_seed_down ev_seed_out ev_seed_pick ev_seed_up ev_form_drop day_share lb_show pf_show "
        "rec_show rp_show own_delete season_end house_delete claim pages_close stream_off su_stream_off "
        "ev_act ev_act_yes mg_act mg_act_yes "
        "tb_act"
    ),
    WRITTEN: (
        "ev_ask_cancel ev_ask_out ev_cancel ev_disqualify ev_penalty ev_move ev_adjust ev_announce ev_d_move "
        "ev_d_out ev_d_penalty ev_d_postpone ev_d_repeat ev_d_say ev_d_last ev_d_void bank_given bank_written "
        "season_begun ev_act_form bank_needed mg_act_form tb_act_form vacation_taken "
        "season_named house_name house_lines house_rules house_table house_number"
    ),
}
TOGGLES = {
    WANTED: (
        "ev_dates wish_series pz_aim pz_theme pz_games mi_theme mi_quiet wish_mistakes "
        "reminders calls news wish_cards wish_confirm wish_language wish_profile wish_puzzles wish_shared wish_size "
        "wish_text "
        "digest_at quiet_from quiet_until apart_add apart_allow club_by club_channel club_game club_off club_span "
        "club_switch po_channel po_day po_hour po_off po_words su_channels su_game su_host su_language su_pace "
        "su_threads su_told su_words bank_channel season_channel season_role season_terms ev_pause ev_resume "
        "ev_d_pause ev_d_resume ev_d_hold ev_d_release ev_d_keep ev_d_let_go ev_d_away ev_d_back ev_help "
        "ev_unhelp ev_d_help ev_d_unhelp ev_repeat ev_postpone ev_form_set ev_form_game ev_form_preset "
        "ev_form_role ev_form_channels new_company new_game new_own new_pace new_stakes new_weekends house_value"
    ),
    WRITTEN: (
        "hours_written po_formed po_paged po_posted su_basics su_looks su_placed su_roled su_zoned "
        "ev_form_text new_formed new_tabled new_moneyed"
    ),
}
NEITHER = (
    "ev_again "
    "apart apart_list arrange audit ev_act_ask bank_change bank_chips by_ear card chips chips_send clear club daily "
    "day_arrange "
    "day_card day_clear day_print day_record day_review day_row day_set_b day_set_f day_set_m day_show "
    "day_solved day_sort day_undo ev_bracket ev_bracket_page ev_calendar "
    "ev_calendar_of ev_change ev_details ev_d_guest ev_d_penal ev_d_people ev_d_person ev_d_table ev_d_to ev_desk "
    "ev_fairness ev_form_ask ev_form_open ev_keep ev_log ev_masters ev_player ev_poll_open ev_rehearse ev_results "
    "ev_season ev_seed_next ev_seeds ev_series ev_show ev_standings ev_start ev_tools events fairness games "
    "hand hand_details help hint hist_filter hist_filtered hist_open hist_page history hours hours_zone "
    "house house_hand house_new house_open "
    "house_pick house_royalties house_several house_show howto invite launch lb_by lb_game lb_page lb_span "
    "learn lesson manage my_games new_change new_form new_money new_table next_game "
    "open own own_ask own_export own_keep panel pf_part pf_server play "
    "po_form po_page po_post posts profile ranks read_all read_result rec_game recap_page recaps records replay retry "
    "retry_hand review review_how reviewed row rp_back rp_file rp_first rp_last rp_next rulebook rules season_ask "
    "season_name season_page bank_needs mg_act_ask tb_act_ask vacation vacation_ask wish_reading wish_pings "
    "wish_playing wish_data su_templates seat_of seats "
    " set_b set_f set_m set_up settings settings_back shelf shelf_part sort su_check "
    "su_doctor su_look su_places su_roles su_stakes su_zone surrender try_arrange try_card try_clear try_confirm "
    "su_streams try_row try_set_b try_set_f try_set_m try_sort try_undo undo verify wallet watch ev_watch "
    "puzzle pz_card pz_choices pz_day pz_later pz_next pz_row pz_undo "
    "mistakes mi_card mi_later mi_look mi_month mi_next mi_open mi_row mi_undo "
    "an_deeper an_enter an_entered an_from an_game"
)

PAGE = {
    "confirm": SEEN,
    "ahead": SEEN,
    "take_back": SEEN,
    "declare": SEEN,
    "surrender": SEEN,
    "next_hand": SEEN,
    "start": SEEN,
    "start_now": SEEN,
    "leave": SEEN,
    "join": TERMS,
    "rebuy": TERMS,
    "top_up": TERMS,
    "sit_out": WANTED,
    "back": WANTED,
    "let_watch": WANTED,
    "unwatch": WANTED,
    "watched": "nothing: it is refused",
    "stream": WANTED,
    "stream_renew": WANTED,
    "stream_end": WANTED,
    "puzzle_next": "looks",
    "puzzle_later": SEEN,
    "puzzle_harder": WANTED,
    "puzzle_easier": WANTED,
    "puzzle_theme": WANTED,
    "puzzle_games": WANTED,
    "analyse": WANTED,
    "analyse_deeper": WANTED,
    "arrange": "draft",
    "hint": "looks",
    "retry": "looks",
    "end_retry": "looks",
    "say": "a phrase, which is stored nowhere",
}
"""Requests by pages. Those with terms take chips."""


def carried(effect: Mapping[str, str]) -> dict[str, str]:
    """Return the terms that each verb carries."""
    return {verb: what for what, verbs in effect.items() for verb in verbs.split()}


def lacks_terms(custom_id: str) -> bool:
    """True for a button that spends or commits without terms."""
    _, verb, place, *_, argument = custom_id.split(":")
    if verb == "seat" and argument not in ("rebuy", "top_up"):
        return False  # it only opens the list, or does something that costs nothing
    if verb == "tb_act_yes":
        return argument in TABLE_ACTS_FOR_CHIPS and "~" not in place
    # A seated player pays nothing for another seat.
    needs = {**carried(SPENDS), **carried(COMMITS)}.get(verb) == TERMS and verb != "sit"
    return needs and "~" not in place
