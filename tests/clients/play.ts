// Play matches with the client that openapi-typescript and openapi-fetch make: a game and its options an argument, as JSON.
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

type Match = components['schemas']['Match'];
type Options = NonNullable<components['schemas']['NewMatch']['options']>;

// What a position looks like, by its game.
type Views = {
  'four-forges': components['schemas']['FourForgesView'];
  fourfold: components['schemas']['FourfoldView'];
  'penny-ante': components['schemas']['PennyAnteView'];
  steinnheimr: components['schemas']['SteinnheimrView'];
};

declare const process: { argv: string[] };

const [site = '', token = '', ...asked] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: site, headers: { Authorization: `Bearer ${token}` } });

// What came, or the problem that came instead.
function given<Body>(answer: { data?: Body; error?: components['schemas']['ProblemDetails'] }): Body {
  if (answer.error) throw new Error(`${answer.error.type}: ${answer.error.detail}`);
  if (answer.data === undefined) throw new Error('nothing came');
  return answer.data;
}

// The versions that the match's stream tells, from the first to its end.
async function follow(id: string): Promise<number[]> {
  const answer = await client.GET('/api/v1/matches/{id}/stream', { params: { path: { id }, query: { from: 1 } }, parseAs: 'stream' });
  const text = await new Response(answer.data as ReadableStream).text();
  if (!text.includes('event: stream.ended')) throw new Error('the stream broke off');
  return [...text.matchAll(/^id: ([1-9][0-9]*)$/gm)].map((found) => Number(found[1]));
}

// How many of its things a position has: runners, stones, pennies or cards.
function counted({ game, view }: Match): number {
  const sum = (numbers: number[]): number => numbers.reduce((all, one) => all + one, 0);
  const stones = ({ black, silver, grey }: components['schemas']['FourForgesStonesSeen']): number => black + silver + grey;
  switch (game as keyof Views) {
    case 'four-forges': {
      const { anvils, chests, bag, mine } = view as Views['four-forges'];
      return sum([...Object.values(anvils), ...Object.values(chests), bag, ...(mine ? [mine] : [])].map(stones));
    }
    case 'fourfold': {
      const { court, order } = view as Views['fourfold'];
      return Object.keys(court).length === order.length ? order.length : NaN;
    }
    case 'penny-ante': {
      const { spaces, pool } = view as Views['penny-ante'];
      return pool + sum(Object.values(spaces).flatMap(({ stacks, guard }) => stacks ?? [guard ?? 0]));
    }
    case 'steinnheimr': {
      const { decks, players } = view as Views['steinnheimr'];
      return decks.items + sum(Object.values(players).map(({ items }) => items.length));
    }
  }
}

async function play(game: string, options: Options, me: string): Promise<[Match, number[]]> {
  const { sizes } = given(await client.GET('/api/v1/games/{game}', { params: { path: { game } } }));
  const bots = Array.from({ length: (sizes[0] ?? 0) - 1 }, () => ({ bot: 'random' }));
  const seats = [{ player: 'me' } as const, ...bots];
  let match: Match = given(await client.POST('/api/v1/matches', { body: { game, options, seats, settings: { undo_seconds: 0 } } }));
  const path = { id: match.id };
  const told = follow(match.id);
  while (match.status === 'live') {
    const mine = match.seats.filter((chair) => chair.player === me).map((chair) => chair.seat);
    const seat = match.to_act.map((ask) => ask.seat).find((one) => mine.includes(one));
    if (seat === undefined) {
      await new Promise((done) => setTimeout(done, 50));
      match = given(await client.GET('/api/v1/matches/{id}', { params: { path } }));
      continue;
    }
    const legal = given(await client.GET('/api/v1/matches/{id}/legal-actions', { params: { path, query: { seat, limit: 50 } } }));
    if (!('actions' in legal)) throw new Error('words, where actions were asked for');
    const chosen = legal.actions[Math.floor(Math.random() * legal.actions.length)];
    if (chosen === undefined) throw new Error(`nothing to do for ${seat}`);
    const body = { seat, ply: legal.ply, actions: [chosen.action] };
    const done = given(await client.POST('/api/v1/matches/{id}/submissions', { params: { path }, body }));
    match = done.match;
  }
  return [match, await told];
}

const me = given(await client.GET('/api/v1/me')).id;
for (const one of asked) {
  const { game, options } = JSON.parse(one) as { game: string; options: Options };
  const [match, told] = await play(game, options, me);
  const history = given(await client.GET('/api/v1/matches/{id}/history', { params: { path: { id: match.id }, query: { limit: 1000 } } }));
  if (typeof history === 'string') throw new Error('text, where JSON was asked for');
  const actions = history.events.filter((event) => event.type === 'action.taken').map((event) => event.data.text);
  const followed = JSON.stringify(told) === JSON.stringify(history.events.map((event) => event.version));
  const { status, outcome, options: played } = match;
  console.log(JSON.stringify({ game, status, outcome, options: played, actions: actions.length, told: followed, counted: counted(match) }));
}
