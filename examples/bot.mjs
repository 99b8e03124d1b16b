// Play a match to its end: `node bot.mjs http://127.0.0.1:8000 fp_…`, with your token. Needs nothing but Node 20 or later.
// Without more it starts a match of Fourfold against house bots; `--game penny-ante` of another game, `--join 07-3f9k2m8qtx` takes a
// seat in a match that waits for players, or goes on with one in which it sits. It plays at random: make `choose` better.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const PATIENCE = 1000; // milliseconds between two looks while others are to act
const { values: given, positionals: [site, token] } = parseArgs({
  allowPositionals: true,
  options: { game: { type: 'string', default: 'fourfold' }, options: { type: 'string', default: '{}' }, join: { type: 'string' } },
});

// The server says no, and why: `problem.type` is for programs, `problem.detail` for people.
class Refused extends Error {
  constructor(problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

// What the API answers. A POST has a key of its own, so that it is done once even if it has to be sent again.
async function ask(path, body) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() };
  const request = { method: body ? 'POST' : 'GET', headers, body: body && JSON.stringify(body) };
  for (let attempt = 0; ; attempt += 1) {
    let wait = PATIENCE;
    try {
      const answer = await fetch(`${site}/api/v1${path}`, { ...request, signal: AbortSignal.timeout(30_000) });
      if (answer.ok) return await answer.json();
      if (![429, 503].includes(answer.status) || attempt === 5) throw new Refused(await answer.json());
      wait = 1000 * Number(answer.headers.get('Retry-After') ?? 1);
    } catch (error) { // other errors: the answer was lost on its way
      if (error instanceof Refused || attempt === 5) throw error;
    }
    await sleep(wait);
  }
}

// The match to play.
async function sitDown() {
  if (given.join) {
    const match = await ask(`/matches/${given.join}`).catch((error) => {
      if (error.problem?.status !== 404) throw error; // a private match is shown to its players only, and its open seats are for whoever knows its id
      return null;
    });
    return match && mine(match).length ? match : (await ask(`/matches/${given.join}/join`, {})).match;
  }
  const game = await ask(`/games/${given.game}`);
  const bots = Array(game.sizes[0] - 1).fill({ bot: 'random' });
  return ask('/matches', { game: given.game, options: JSON.parse(given.options), seats: [{ player: 'me' }, ...bots] });
}

// The seats that are ours.
const mine = (match) => match.seats.filter((seat) => seat.player === me && !seat.vacated).map((seat) => seat.seat);

// The action to play, as a line of text. `match.view` is the position.
const choose = (match, legal) => legal[Math.floor(Math.random() * legal.length)].text;

const me = (await ask('/me')).id;
let match = await sitDown();
console.log(`match ${match.id}: ${site}/api/v1/matches/${match.id}`);
while (['waiting', 'live'].includes(match.status)) {
  const seat = match.to_act.map((asked) => asked.seat).find((asked) => mine(match).includes(asked));
  if (!seat) {
    await sleep(PATIENCE);
    match = await ask(`/matches/${match.id}`);
    continue;
  }
  try {
    const legal = await ask(`/matches/${match.id}/legal-actions?seat=${seat}`);
    const text = choose(match, legal.actions);
    ({ match } = await ask(`/matches/${match.id}/submissions`, { seat, ply: legal.ply, text }));
    console.log(`${seat}: ${text}`);
  } catch (error) { // others were faster, or time ran out: look again
    if (error.problem?.status !== 409) throw error;
    match = await ask(`/matches/${match.id}`);
  }
}
console.log(match.status, JSON.stringify(match.outcome));
