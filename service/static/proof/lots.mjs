// How lots follow from the seed: every game's candidates in the order of its rules page, drawn again by DESIGN 5.

import { bytes, canonical, hex, sha256 } from "./text.mjs";

const { subtle } = globalThis.crypto;

class Draws {
  constructor(seed, match) {
    this.match = match;
    this.index = 0;
    this.entropy = "";
    this.ply = 0;
    this.key = subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  }

  async pick(n) {
    const mix = await sha256(bytes(this.entropy));
    const all = 1n << 256n;
    const bound = (all / BigInt(n)) * BigInt(n);
    for (let tried = 0; ; tried += 1) {
      const words = `forgepost-draw-v1\n${this.match}\n${this.ply}\n${this.index}\n${mix}\n${tried}`;
      const x = BigInt(`0x${hex(await subtle.sign("HMAC", await this.key, bytes(words)))}`);
      if (x < bound) {
        this.index += 1;
        return Number(x % BigInt(n));
      }
    }
  }

  async take(candidates) {
    return candidates.splice(await this.pick(candidates.length), 1)[0];
  }
}

// Who sits where before the seats are drawn: seat by seat from the players in the order in which they sat down
class Chairs {
  chairs = new Map();

  happened({ type, version, data }) {
    if (type === "seat.taken") this.chairs.set(data.seat, { player: data.player, version });
    if (type === "seat.left") this.chairs.delete(data.seat);
  }

  async drawn(seats, draws) {
    const waiting = [...this.chairs.values()].sort((one, other) => one.version - other.version).map((chair) => chair.player);
    const given = {};
    for (const seat of seats) given[seat] = await draws.take(waiting);
    return { seats: given };
  }
}

const STONES = ["black", "silver", "grey"];

class FourForges {
  dealt = 0;
  mine = { black: 24, silver: 24, grey: 24 };

  acted() {}

  async drawn({ kind, outcome }, seats, draws) {
    if (kind === "deal") {
      const seat = seats[this.dealt++];
      const empty = await draws.pick(4);
      const pool = FourForges.pool({ black: 6, silver: 6, grey: 6 });
      const anvils = {};
      for (let place = 0; place < 4; place += 1) {
        anvils[`${seat[0].toUpperCase()}${place + 1}`] = await FourForges.handful(place === empty ? [] : pool, draws);
      }
      return { seat, anvils };
    }
    const stones = await FourForges.handful(FourForges.pool(this.mine), draws);
    for (const stone of STONES) this.mine[stone] -= stones[stone];
    return { anvil: outcome.anvil, stones };
  }

  static pool(amounts) {
    return STONES.flatMap((stone) => Array(amounts[stone]).fill(stone));
  }

  static async handful(pool, draws) {
    const amounts = { black: 0, silver: 0, grey: 0 };
    for (let count = 0; count < 6 && pool.length; count += 1) amounts[await draws.take(pool)] += 1;
    return amounts;
  }
}

const COLUMNS = [..."abcde"];
const ROWS = [..."12345"];
const STARTS = {
  north: COLUMNS.map((column) => `${column}5`),
  east: ROWS.map((row) => `e${row}`),
  south: COLUMNS.map((column) => `${column}1`),
  west: ROWS.map((row) => `a${row}`),
};
const ENDS = { north: STARTS.south, east: STARTS.west, south: STARTS.north, west: STARTS.east };

class Fourfold {
  court = new Map(); // runner → cell, in the order of appearance
  deployed = { north: 0, east: 0, south: 0, west: 0 };
  opening = true;

  constructor(options) {
    this.most = options.max_runners;
  }

  // What was played since the last lot, all of it and nothing that was taken back
  acted(actions) {
    let goal = false;
    for (const { seat, action } of actions) {
      if (action.type === "deploy") this.court.set(`${seat[0].toUpperCase()}${(this.deployed[seat] += 1)}`, action.at);
      if (action.type === "advance") {
        this.court.set(action.runner, action.to);
        if (ENDS[seat].includes(action.to)) goal = this.court.delete(action.runner);
      }
    }
    if (!this.opening || this.court.size === this.most || goal) {
      this.opening = false;
      if (!goal) this.court.delete(this.court.keys().next().value); // stalemate: the runner longest on the court
    }
  }

  free(seat) {
    const taken = [...this.court.values()];
    return STARTS[seat].some((cell) => !taken.includes(cell));
  }

  async drawn(_event, seats, draws) {
    if (this.opening) return { seat: await draws.take(seats.filter((seat) => this.free(seat))), for: "opening" };
    const seat = await draws.take([...seats]);
    return { seat, for: "replacement", blocked: !this.free(seat) };
  }
}

class Steinnheimr {
  decks = Object.fromEntries(Object.entries({ item: 54, town: 20, upgrade: 26, bonus: 8 }).map(([kind, size]) => [kind, Steinnheimr.ids(kind, size)]));
  shown = new Map(); // slot → upgrade
  discarded = [];

  static ids(kind, size) {
    return Array.from({ length: size }, (_, number) => `${kind}-${String(number + 1).padStart(kind === "bonus" ? 1 : 2, "0")}`);
  }

  acted(actions) {
    for (const { action } of actions) {
      if (action.type === "refresh") {
        this.discarded.push(...this.shown.values());
        this.shown.clear();
      }
      if (action.do?.type === "buy") this.shown.forEach((card, slot) => card === action.do.upgrade && this.shown.delete(slot));
    }
  }

  async drawn({ kind, outcome }, seats, draws) {
    if (kind === "first_player") return { seat: await draws.take([...seats]) };
    if (kind === "upgrade" && !this.decks.upgrade.length) this.decks.upgrade = this.discarded.splice(0).sort();
    const card = await draws.take(this.decks[kind]);
    if (kind === "upgrade") this.shown.set(outcome.slot, card);
    return kind === "bonus" ? { card } : { card, slot: outcome.slot };
  }
}

const LOTS = { "four-forges 1": FourForges, "fourfold 1": Fourfold, "penny-ante 1": class { acted() {} }, "steinnheimr 1": Steinnheimr };

// Draws every lot of a match again, as far as it is known how they are drawn; gives how many, and what is wrong
export async function drawAgain(events, created, seed, report) {
  const draws = new Draws(seed, created.match);
  const { game, edition, seats, options } = created.data;
  const Lots = LOTS[`${game} ${edition}`];
  const lots = Lots && new Lots(options);
  const chairs = new Chairs();
  let played = [];
  for (const event of events) {
    const { type, data, ply, by } = event;
    chairs.happened(event);
    if (data.entropy !== undefined) draws.entropy += `${data.entropy}\n`;
    if (data.nonce !== undefined) draws.entropy += `${data.nonce}\n`;
    if (type === "action.taken") played.push({ ply, seat: by.seat, action: data.action });
    if (type === "turn.taken-back") played = played.filter((each) => each.ply <= data.to_ply);
    if (type !== "chance.drawn") continue;
    draws.ply = ply;
    const before = draws.index;
    let due = null;
    if (data.kind === "seats") due = await chairs.drawn(seats, draws);
    else if (lots) {
      lots.acted(played);
      played = [];
      due = await lots.drawn(data, seats, draws).catch(() => null);
    } else {
      report.unchecked.push(`how ${game}, edition ${edition}, draws its lots: it is not known here`);
      return;
    }
    if (due === null || data.index !== before || canonical(data.outcome) !== canonical(due)) {
      const should = due === null ? "" : ` should be ${canonical(due)} (draw ${before}),`;
      report.flaw("lots", event.version + 1, `version ${event.version}: its lot${should} ${due === null ? "cannot be" : "and is not"} what the seed gives`);
      return;
    }
    report.chances += 1;
  }
  report.holds.push("lots");
}
