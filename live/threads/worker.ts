/** The worker that computes and draws. */

import { connected, type Page, type Port, type Work } from './messages.ts'
import { Runner } from './runner.ts'

const { theirs: page, answer } = connected<Page, Work>(self as unknown as Port)
const runner = new Runner(page)
answer(runner)
if ('requestAnimationFrame' in self) runner.animate()
