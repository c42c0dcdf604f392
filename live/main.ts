/** The live page: wires scenes, the player, the picture and the panels together. */

import { backends } from 'manybody'
import { Stage, type Staging } from './drawing/stage.ts'
import { Controls } from './panel/controls.ts'
import * as dialogs from './panel/dialogs.ts'
import { LawCard } from './panel/law-card.ts'
import { element, made, messageOf, notice } from './panel/page.ts'
import { Plots } from './panel/plots.ts'
import { panelTabs, sceneBar } from './panel/scene-bar.ts'
import { sourcesOf } from './panel/sources.ts'
import { chosenTheme, onTheme } from './panel/theme.ts'
import { compare, verify, wholeSelection } from './running/check.ts'
import { driftOf } from './running/drift.ts'
import { firstLaw } from './running/laws.ts'
import { hashOf, sharedFrom } from './running/link.ts'
import { Player } from './running/player.ts'
import { edgesOf, firstArrays, type Session, type Setup } from './running/session.ts'
import { askForSnapshot, saveSnapshot } from './running/snapshots.ts'

const still = matchMedia('(prefers-reduced-motion: reduce)')
const stage = new Stage(element('stage'))
const plots = new Plots()
/** The latest requested setup, whose session may not run yet. */
let wanted: Setup

const player = new Player({
  session(session) {
    stage.show(session.source, stagingOf(session.setup))
    showSteps(session)
    sync()
    const recoveries = session.simulation.recoveries.length
    if (recoveries > 0) notice(`The device was lost. The run goes on: ${session.simulation.recoveries[recoveries - 1]}`)
  },
  stepped(session, steps, milliseconds) {
    stage.touch()
    showSteps(session)
    plots.add('milliseconds', milliseconds / steps)
    plots.add('pairs', (1000 * session.pairsPerStep * steps) / milliseconds)
    void measureDrift(session)
  },
  failed(error) {
    sync()
    notice(`${messageOf(error)} – the run is paused. Start over, or change the law.`, 30)
  },
})

function showSteps({ simulation }: Session): void {
  element('steps').textContent = `step ${simulation.steps.toLocaleString('en')}`
}

const stagingOf = ({ scene, count }: Setup): Staging => ({
  ...{ look: scene.look, size: scene.size, fast: scene.fast(count), tilt: scene.tilt, count },
  ...{ box: scene.box?.(count) ?? 0, radius: scene.radius(count) },
})

/** Shows the points of a setup before anything computes. */
function preview(setup: Setup): void {
  const arrays = firstArrays(setup)
  element('steps').textContent = 'step 0'
  stage.show({ kind: 'arrays', arrays: () => arrays, edges: edgesOf(setup) }, stagingOf(setup))
}

/** Starts the requested setup. If that fails, the page shows the error and continues the previous run. */
async function ask(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    notice(messageOf(error), 20)
    if (player.session) wanted = player.session.setup
    sync()
  }
}

function start(setup: Setup, fit = true): void {
  wanted = setup
  plots.clear(setup.scene.conserves)
  if (fit) player.fit()
  void ask(() => player.start(setup))
}

function change(part: Partial<Setup>): void {
  wanted = { ...wanted, ...part }
  if (player.session) void ask(() => player.change(part))
}

function chooseScene(scene: Setup['scene']): void {
  // A number that the visitor chose is kept.
  const count = player.fitting ? scene.count.first : Math.min(wanted.count, scene.count.most)
  const setup = { ...wanted, scene, count, law: firstLaw(scene.law), backwards: false, variant: '', tolerance: 0 }
  stage.reset()
  preview(setup)
  player.running = true
  start(setup, player.fitting)
  sync()
}

function pause(): void {
  player.running = !player.running
  sync()
}

const showScene = sceneBar(chooseScene)
const lawCard = new LawCard((law) => change({ law: { ...wanted.law, expressions: law.expressions } }))
const controls = new Controls(
  {
    pause,
    step: () => void ask(() => player.advance(1)),
    backwards: () => change({ backwards: !wanted.backwards }),
    restart: () => {
      player.running = true
      start(wanted, false)
    },
    backend: (backend) => change({ backend, variant: '' }),
    variant: (variant) => change({ variant, backend: player.session?.engine.device.info.backend ?? wanted.backend }),
    count: (count) => {
      player.fitting = false
      start({ ...wanted, count }, false)
    },
    fit: () => start(wanted),
    tolerance: (tolerance) => change({ tolerance }),
    parameter: (name, value) =>
      change({ law: { ...wanted.law, parameters: { ...wanted.law.parameters, [name]: value } } }),
    selection: () => withSession(async ({ engine }) => dialogs.showSelection(await wholeSelection(engine.selection))),
    verify: () => withSession(async (session) => dialogs.showVerification(await verify(session), session.setup.count)),
    compare: () => withSession((session) => dialogs.showComparison(compare(session), session.pairsPerStep)),
    save: () => withSession((session) => saveSnapshot(session)),
    load: () =>
      void ask(async () => {
        const loaded = await askForSnapshot()
        if (!loaded) return
        wanted = loaded.setup
        player.fitting = false
        plots.clear(wanted.scene.conserves)
        await player.start(loaded.setup, loaded.state)
      }),
    share: () => withSession(share),
    theme: chosenTheme,
    reset: () => stage.reset(),
  },
  backends().map(({ name }) => name),
)

function withSession(work: (session: Session) => Promise<unknown> | unknown): void {
  void ask(() =>
    player.whenIdle(async () => {
      if (player.session) await work(player.session)
    }),
  )
}

async function share(session: Session): Promise<void> {
  const state = await session.simulation.snapshot()
  const { fitting, running } = player
  const hash = await hashOf({
    setup: session.setup,
    fitting,
    running,
    camera: stage.held ? stage.camera : undefined,
    state,
  })
  history.replaceState(null, '', `#${hash}`)
  const copied = await navigator.clipboard?.writeText(location.href).then(
    () => true,
    () => false,
  )
  dialogs.showLink(location.href, hash.includes('position='), copied ?? false)
}

function sync(): void {
  const { session } = player
  const backend = session?.engine.device.info.backend ?? ''
  showScene(wanted.scene)
  lawCard.show(wanted.scene, wanted.law)
  controls.show(
    session && session.setup.scene === wanted.scene ? { ...wanted, count: session.setup.count } : wanted,
    player.running,
    backend,
  )
  if (session && session.setup.scene === wanted.scene) wanted = { ...wanted, count: session.setup.count }
  const bold = (text: string) => made('b', text)
  if (!session) element('device').replaceChildren('Looking for the fastest device …')
  else {
    const { name } = session.engine.device.info
    const loop = wanted.variant ? `, loop ${wanted.variant}` : ''
    const bodies = session.setup.count.toLocaleString('en')
    element('device').replaceChildren(
      bold(`${bodies} bodies`),
      ' on ',
      bold(backend),
      `${loop}, ${name}. Drawn with ${stage.painter}.`,
    )
  }
}

let measured = 0
async function measureDrift(session: Session): Promise<void> {
  if (performance.now() - measured < 500 || session.setup.scene.conserves.length === 0) return
  measured = performance.now()
  try {
    const drift = await player.whenIdle(() => driftOf(session))
    for (const [name, value] of Object.entries(drift) as [keyof typeof drift, number][]) plots.add(name, value)
  } catch {
    // A session that has ended measures nothing; one that diverged says so at its next step.
  }
}

addEventListener('keydown', (event) => {
  if (
    event.target instanceof HTMLInputElement ||
    event.target instanceof HTMLSelectElement ||
    event.ctrlKey ||
    event.metaKey
  )
    return
  if (event.target instanceof HTMLButtonElement && event.key === ' ') return
  if (event.key === ' ') pause()
  else if (event.key === '.') void ask(() => player.advance(1))
  else return
  event.preventDefault()
})
addEventListener('hashchange', () => void open())
new ResizeObserver(() => {
  if (!stage.held) stage.camera = undefined
  stage.touch()
  plots.redraw()
}).observe(element('stage'))
element('source').addEventListener('click', () =>
  withSession(async (session) => dialogs.showSource(await sourcesOf(session))),
)
panelTabs(() => plots.redraw())
onTheme((theme) => {
  stage.theme = theme
  stage.touch()
  plots.redraw()
})

/** Opens the state in the address. */
async function open(): Promise<void> {
  const { setup, fitting, running, camera, state } = await sharedFrom(location.hash)
  wanted = setup
  stage.held = camera !== undefined
  stage.camera = camera
  player.fitting = fitting && !state
  // Visitors who prefer reduced motion start it by a click.
  player.running = running && !still.matches
  preview(setup)
  plots.clear(setup.scene.conserves)
  sync()
  await ask(() => player.start(setup, state))
}

function picture(): void {
  player.tick()
  stage.draw()
  requestAnimationFrame(picture)
}

await ask(open)
requestAnimationFrame(picture)
