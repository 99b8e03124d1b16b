// Sign one move and send it: `node sign_a_move.mjs http://127.0.0.1:8000 fp_… 07-3f9k2m8qtx`, with your token and your match.
// Needs nothing but Node 20 or later. The key pair is kept in forgepost-key.json: whoever has that file signs as you.
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const KEY = 'forgepost-key.json';
const [site, token, name] = process.argv.slice(2);

// What the API answers.
async function asks(method, path, body, headers) {
  const answer = await fetch(`${site}/api/v1${path}`, { method, body, headers });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.detail);
  return said;
}

// The one in the file; made there the first time.
function keyPair() {
  if (!existsSync(KEY)) {
    const { kty, crv, x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
    writeFileSync(KEY, JSON.stringify({ kty, crv, x, d }), { mode: 0o600, flag: 'wx' });
  }
  return JSON.parse(readFileSync(KEY, 'utf8'));
}

// Canonical JSON (RFC 8785), for values without fractions.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((field) => `${JSON.stringify(field)}:${canonical(value[field])}`)}}`;
}

// A compact JWS over the move, whose header and payload are canonical JSON.
function signed(move, jwk) {
  const header = { alg: 'Ed25519', kid: jwk.x, typ: 'forgepost-move+jws' };
  const text = [header, move].map((part) => Buffer.from(canonical(part)).toString('base64url')).join('.');
  const signature = sign(null, Buffer.from(text), createPrivateKey({ key: jwk, format: 'jwk' }));
  return `${text}.${signature.toString('base64url')}`;
}

const jwk = keyPair();
const mine = { Authorization: `Bearer ${token}` };
const { kty, crv, x } = jwk;
const json = { ...mine, 'Content-Type': 'application/json' };
await asks('POST', '/me/keys', JSON.stringify({ name: 'example', jwk: { kty, crv, x } }), json); // the same key again changes nothing

const match = await asks('GET', `/matches/${name}`, undefined, mine);
const { seat } = match.to_act[0];
const legal = await asks('GET', `/matches/${name}/legal-actions?seat=${seat}`, undefined, mine);
const move = { match: name, seat, ply: match.ply, actions: [legal.actions[0].action], prev: match.head.hash };
const jose = { 'Content-Type': 'application/jose' }; // no token: the signature is enough
const done = await asks('POST', `/matches/${name}/submissions`, signed(move, jwk), jose);
console.log(done.events.flatMap((event) => event.data.text ?? []).join('\n'));
