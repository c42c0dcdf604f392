// Messages that nobody should send: malformed bytes, and messages with a wrong value in one field.

import { encode } from '../../../packages/cluster/src/wire/message.ts'

const hash = 'f'.repeat(64)
const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`

const raw = (text: string) => new TextEncoder().encode(text)
const headed = (header: string) => {
  const text = raw(header)
  return Uint8Array.from([text.length & 255, (text.length >> 8) & 255, 0, 0, ...text])
}

export const payloads: Readonly<Record<string, Uint8Array>> = {
  nothing: new Uint8Array(0),
  'one byte': Uint8Array.of(0),
  'an open bracket': raw('{'),
  'four zeros': new Uint8Array(4),
  'a header of gigabytes': Uint8Array.of(255, 255, 255, 255, 123, 125),
  'no UTF-8': Uint8Array.of(2, 0, 0, 0, 255, 254),
  'no JSON': headed('{{'),
  'a list': headed('[]'),
  'a text': headed('"x"'),
  'a number': headed('1e999'),
  null: headed('null'),
  'deep lists': headed(`{"lacks":${deep}}`),
  'a prototype': headed('{"__proto__":{"kind":"done"},"kind":"there"}'),
  'no fields': encode({}),
  'an unknown kind': encode({ kind: 'sudo', task: '1' }),
  'a task that is an object': encode({ kind: 'part', task: { toString: 1 }, at: 0 }),
  'a place before the first': encode({ kind: 'part', task: '1', at: -1 }, Uint8Array.of(1)),
  'an end without a report': encode({ kind: 'done', task: '1', at: 0, time: 1 }),
  'calls that are no list': encode({ kind: 'there', lacks: 1 }),
  'an array of nobody': encode({ kind: 'failed', task: '1', reason: 'no', missing: hash }),
  'a run that is an object': encode({ protocol: 5, run: { toString: 1 } }),
  'a negative length': encode({ hash, length: -1, at: 0 }),
  'something in place of an object': encode({ hash, length: 1, at: 0, instead: { toString: 1 } }, Uint8Array.of(1)),
  'blocks that are texts': encode({ task: '1', first: '0', last: '9' }, raw('{}')),
  'a worker of megabytes': encode({ protocol: 5, backend: 'x'.repeat(60_000), name: '', kind: 'cpu', precisions: [] }),
  'escape sequences': encode({
    protocol: 5,
    backend: '\u001b[2J',
    name: '\u009b2J',
    kind: 'cpu',
    precisions: [],
    calls: 0,
  }),
}
