/** The live page: wires the panels and the work together. It computes and draws nothing itself. */

import { backends } from 'manybody'
import { Stage } from './drawing/stage.ts'
import { stagingOf } from './drawing/staging.ts'
import { Controls } from './panel/controls.ts'
import * as dialogs from './panel/dialogs.ts'
import { LawCard } from './panel/law-card.ts'
import { clearNotice, element, made, notice } from './panel/page.ts'
import { Plots } from './panel/plots.ts'
import { panelTabs, sceneBar } from './panel/scene-bar.ts'
import { sourcesOf } from './panel/sources.ts'
import { chosenTheme, onTheme } from './panel/theme.ts'
import { firstLaw } from './running/laws.ts'
import { hashOf, sharedFrom } from './running/link.ts'
import { received, type Setup, type SetupChange, sent } from './running/setup.ts'
import { askForSnapshot, type Snapshot, saveSnapshot } from './running/snapshots.ts'
import { messageOf, type Shown, type Work } from './threads/messages.ts'
import { placeFor } from './threads/place.ts'

const still = matchMedia('(prefers-reduced-motion: reduce)')
const plots = new Plots()
/** The latest requested setup, which may not run yet. */
let wanted: Setup
/** The present run. */
let shown: Shown | undefined
let running = true
/** Whether no run can continue: the first did not begin, or the last failed. Then a change starts over. */
let stuck = false
/** Whether the number of bodies follows the speed of the device. */
let fitting = true
let comparison: dialogs.Comparison | undefined
let placeName = ''

const place = placeFor({
  canvas: () => stage.canvas(),
  async drawn(painter) {
    await stage.drawn(painter)
    sync()
  },
  session(now) {
    shown = now
    // Messages about the previous run no longer apply.
    if (stuck) clearNotice()
    stuck = false
    showSteps(now.steps)
    plots.speedOf(now.stepWork.unit)
    sync()
    const { recoveries } = now
    if (recoveries.length > 0) notice(`The device was lost. The run goes on: ${recoveries.at(-1)}`)
  },
  stepped({ steps, taken, milliseconds }) {
    showSteps(steps)
    plots.add('milliseconds', milliseconds / taken)
    if (shown) plots.add('speed', (1000 * shown.stepWork.perStep * taken) / milliseconds)
  },
  drift(drift) {
    for (const [name, value] of Object.entries(drift) as [keyof typeof drift, number][]) plots.add(name, value)
  },
  compared: (row) => comparison?.row(row),
  failed(message) {
    running = false
    stuck = true
    sync()
    notice(`${message} – the run has ended. Change the law, or anything else: it then starts over.`, 30)
  },
})
const stage = new Stage(element('stage'), (view) => void ask((work) => work.view(view)))

function showSteps(steps: number): void {
  element('steps').textContent = `step ${steps.toLocaleString('en')}`
}

/** Asks for work. If it fails, the page shows the error and the run that continues. */
async function ask(question: (work: Work) => Promise<unknown>): Promise<void> {
  try {
    const { work, name } = await place
    placeName = name
    await question(work)
  } catch (error) {
    notice(messageOf(error), 20)
    if (shown) wanted = goingOn(shown.setup, wanted)
    else stuck = true
    sync()
  }
}

/** The setup that continues after a failed change. The law that the visitor typed stays, until they correct it. */
function goingOn(runs: Shown['setup'], { scene, law }: Setup): Setup {
  const setup = received(runs)
  return setup.scene === scene ? { ...setup, law } : setup
}

function start(setup: Setup, state?: Snapshot['state']): void {
  wanted = setup
  plots.clear(setup.scene.conserves)
  void ask(async (work) => {
    try {
      await work.start(sent(setup), fitting, state)
    } catch (error) {
      if (shown || setup.backend === '') throw error
      // A link may name a backend or a loop that this device lacks.
      wanted = { ...wanted, backend: '', variant: '' }
      await work.start(sent(wanted), fitting, state)
      notice(`${messageOf(error)} – the best backend of this device runs instead.`, 20)
    }
  })
}

function change(part: SetupChange): void {
  wanted = { ...wanted, ...part }
  if (stuck) restart(wanted)
  else void ask((work) => work.change(part))
}

function restart(setup: Setup): void {
  start(setup)
  run(true)
}

function run(now: boolean): void {
  running = now
  void ask((work) => work.run(now))
  sync()
}

/** Shows the bodies of a setup before anything computes. */
function preview(setup: Setup): void {
  showSteps(0)
  stage.staging = stagingOf(setup)
  void ask((work) => work.preview(sent(setup)))
}

function chooseScene(scene: Setup['scene']): void {
  // A number that the visitor chose is kept.
  const count = fitting ? scene.count.first : Math.min(wanted.count, scene.count.most)
  const setup = { ...wanted, scene, count, law: firstLaw(scene.law), backwards: false, variant: '', tolerance: 0 }
  stage.look(undefined)
  clearNotice()
  preview(setup)
  restart(setup)
  // With this entry, the browser can go back to the previous scene, and a reload keeps this one.
  void hashOf({ setup, fitting, running }).then((hash) => history.pushState(null, '', `#${hash}`))
}

const step = () => void ask((work) => work.advance(1))
const pause = () => (stuck && !running ? restart(wanted) : run(!running))
const showScene = sceneBar(chooseScene)
const lawCard = new LawCard((law) => change({ law: { ...wanted.law, expressions: law.expressions } }))
const controls = new Controls(
  {
    pause,
    step,
    backwards: () => change({ backwards: !wanted.backwards }),
    restart: () => restart(wanted),
    backend: (backend) => change({ backend, variant: '' }),
    variant: (variant) => change({ variant, backend: shown?.backend ?? wanted.backend }),
    count: (count) => {
      fitting = false
      start({ ...wanted, count })
    },
    fit: () => {
      fitting = true
      start(wanted)
    },
    tolerance: (tolerance) => change({ tolerance }),
    parameter: (name, value) =>
      change({ law: { ...wanted.law, parameters: { ...wanted.law.parameters, [name]: value } } }),
    selection: () =>
      void ask(async (work) => {
        const verdicts = await work.selection()
        if (verdicts) dialogs.showSelection(verdicts)
      }),
    verify: () =>
      void ask(async (work) => {
        notice('Computes sums over all bodies again, in float64 …', 60)
        const verification = await work.verify()
        clearNotice()
        if (verification) dialogs.showVerification(verification, wanted.count)
      }),
    compare: () =>
      void ask(async (work) => {
        if (!shown) return
        comparison = dialogs.showComparison(shown.stepWork, () => void work.stopComparing())
        await work.compare().finally(comparison.done)
      }),
    save: () => void withSnapshot(saveSnapshot),
    load: () =>
      void ask(async () => {
        const loaded = await askForSnapshot()
        if (!loaded) return
        fitting = false
        stage.staging = stagingOf(loaded.setup)
        start(loaded.setup, loaded.state)
      }),
    share: () => void withSnapshot(share),
    theme: chosenTheme,
    reset: () => stage.look(undefined),
  },
  backends().map(({ name }) => name),
)

function withSnapshot(use: (snapshot: Snapshot) => Promise<void>): Promise<void> {
  return ask(async (work) => {
    const snapshot = await work.snapshot()
    if (snapshot) await use({ ...snapshot, setup: received(snapshot.setup) })
  })
}

async function share({ setup, state }: Snapshot): Promise<void> {
  const settings = { setup, fitting, running, camera: stage.camera }
  history.replaceState(null, '', `#${await hashOf(settings)}`)
  const short = location.href
  const hash = await hashOf({ ...settings, state })
  const copied = await navigator.clipboard?.writeText(short).then(
    () => true,
    () => false,
  )
  const whole = hash.includes('position=') ? short.replace(/#.*/, `#${hash}`) : undefined
  dialogs.showLink(short, whole, copied ?? false)
}

/** Shows the requested setup and the present run. */
function sync(): void {
  // The number of bodies follows the speed of the device.
  if (shown?.setup.scene === wanted.scene.name) wanted = { ...wanted, count: shown.setup.count }
  stage.staging = stagingOf(wanted)
  showScene(wanted.scene)
  lawCard.show(wanted.scene, wanted.law)
  controls.show(wanted, running, shown?.backend ?? '')
  const waiting = stuck ? 'Nothing runs. Change the law or the backend.' : 'Looking for the fastest device …'
  element('device').replaceChildren(...(shown ? toldOf(shown) : [waiting]))
}

function toldOf({ setup, backend, device }: Shown): readonly (Node | string)[] {
  const bold = (text: string) => made('b', text)
  const loop = setup.variant ? `, loop ${setup.variant}` : ''
  const bodies = bold(`${setup.count.toLocaleString('en')} bodies`)
  const where = `${loop}, ${device}. Computed and drawn ${placeName}, with ${stage.painter}.`
  return [bodies, ' on ', bold(backend), where]
}

addEventListener('keydown', (event) => {
  if (
    event.target instanceof HTMLInputElement ||
    event.target instanceof HTMLTextAreaElement ||
    event.target instanceof HTMLSelectElement ||
    event.ctrlKey ||
    event.metaKey
  )
    return
  if (event.target instanceof HTMLButtonElement && event.key === ' ') return
  if (event.key === ' ') pause()
  else if (event.key === '.') step()
  else return
  event.preventDefault()
})
addEventListener('hashchange', () => void open())
new ResizeObserver(() => plots.redraw()).observe(element('stage'))
element('source').addEventListener(
  'click',
  () =>
    void ask(async (work) => {
      const texts = await work.texts()
      if (texts) dialogs.showSource(await sourcesOf(texts, wanted.scene.name))
    }),
)
panelTabs(() => plots.redraw())
onTheme((theme) => {
  stage.theme = theme
  plots.redraw()
})

/** Opens the state in the address. */
async function open(): Promise<void> {
  const shared = await sharedFrom(location.hash).catch((error) => {
    notice(messageOf(error), 20)
    return shown ? undefined : sharedFrom('')
  })
  if (!shared) return
  fitting = shared.fitting && !shared.state
  stage.look(shared.camera)
  preview(shared.setup)
  start(shared.setup, shared.state)
  // Visitors who prefer reduced motion start it by a click.
  run(shared.running && !still.matches)
}

await open()
