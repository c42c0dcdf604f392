/** The controls at the right: the law, the backend and the numbers of a run. */

import { type Controller, GUI } from 'lil-gui'
import { mayBeApproximate, type Setup } from '../running/setup.ts'
import { variants } from '../running/variants.ts'
import { element } from './page.ts'

const automatic = 'automatic'

export interface Actions {
  readonly pause: () => void
  readonly step: () => void
  readonly backwards: () => void
  readonly restart: () => void
  readonly backend: (name: string) => void
  readonly variant: (name: string) => void
  readonly count: (count: number) => void
  readonly fit: () => void
  readonly tolerance: (tolerance: number) => void
  readonly parameter: (name: string, value: number) => void
  readonly selection: () => void
  readonly verify: () => void
  readonly compare: () => void
  readonly save: () => void
  readonly load: () => void
  readonly share: () => void
  readonly theme: (name: string) => void
  readonly reset: () => void
}

export class Controls {
  readonly #gui = new GUI({ container: element('controls'), title: 'Controls' })
  readonly #model = { backend: automatic, variant: automatic, bodies: 1000, tolerance: 0, theme: 'system' }
  readonly #pause: Controller
  readonly #backwards: Controller
  readonly #bodies: Controller
  readonly #backend: Controller
  readonly #tolerance: Controller
  #variant: Controller
  readonly #compute: GUI
  #parameters: GUI | undefined
  #values: Record<string, number> = {}
  #shown: Setup | undefined

  constructor(
    readonly actions: Actions,
    backends: readonly string[],
  ) {
    const gui = this.#gui
    const button = (folder: GUI, name: string, action: () => void) => folder.add({ action }, 'action').name(name)
    const buttons = (title: string) => {
      const folder = gui.addFolder(title)
      folder.$children.classList.add('buttons')
      return folder
    }
    const run = buttons('Run')
    this.#pause = button(run, 'Pause', actions.pause)
    button(run, 'Step', actions.step)
    this.#backwards = button(run, 'Backwards', actions.backwards)
    button(run, 'Start over', actions.restart)
    this.#compute = gui.addFolder('Compute')
    this.#backend = this.#compute
      .add(this.#model, 'backend', [automatic, ...backends])
      .onChange((name: string) => actions.backend(name === automatic ? '' : name))
    this.#variant = this.#variantOf('')
    this.#bodies = this.#compute
      .add(this.#model, 'bodies', 128, 4096, 1)
      .onFinishChange((count: number) => actions.count(count))
    this.#tolerance = this.#compute.add(this.#model, 'tolerance', 0, 0.02, 0.0005).onFinishChange(actions.tolerance)
    button(this.#compute, 'Fit to 33 ms a picture', actions.fit)
    button(this.#compute, 'Why this backend?', actions.selection)
    const check = buttons('Check')
    button(check, 'Verify now', actions.verify)
    button(check, 'Compare all', actions.compare)
    const keep = buttons('Keep')
    button(keep, 'Copy a link', actions.share)
    button(keep, 'Save snapshot', actions.save)
    button(keep, 'Load snapshot', actions.load)
    const view = gui.addFolder('View')
    view.add(this.#model, 'theme', ['system', 'dark', 'light']).onChange(actions.theme)
    button(view, 'Reset the view', actions.reset)
  }

  show(setup: Setup, running: boolean, backend: string): void {
    const { scene, law, count, variant, backwards, tolerance } = setup
    this.#pause.name(running ? 'Pause' : 'Go on')
    this.#backwards.name(backwards ? 'Forwards' : 'Backwards')
    this.#backwards.enable(!scene.integrator.random)
    this.#model.backend = setup.backend || automatic
    this.#backend.updateDisplay()
    const before = this.#shown
    this.#shown = setup
    if (!before || backend !== this.#variant.domElement.dataset.backend) this.#variant = this.#variantOf(backend)
    this.#model.variant = variant || automatic
    this.#variant.updateDisplay()
    this.#model.bodies = count
    this.#model.tolerance = tolerance
    this.#tolerance.show(mayBeApproximate(scene)).updateDisplay()
    this.#bodies.max(scene.count.most).updateDisplay()
    if (before?.scene !== scene) this.#rebuildParameters(setup)
    Object.assign(this.#values, law.parameters)
    for (const controller of this.#parameters?.controllers ?? []) controller.updateDisplay()
  }

  /** The loops of a backend; hidden if there is only one. */
  #variantOf(backend: string): Controller {
    const names = variants[backend] ?? []
    const before = this.#variant as Controller | undefined
    const controller = before
      ? before.options([automatic, ...names])
      : this.#compute.add(this.#model, 'variant', [automatic, ...names])
    controller.name('loop').onChange((name: string) => this.actions.variant(name === automatic ? '' : name))
    controller.domElement.dataset.backend = backend
    controller.enable(names.length > 0)
    return controller
  }

  #rebuildParameters({ scene, law }: Setup): void {
    this.#parameters?.destroy()
    const folder = this.#gui.addFolder('Law')
    const values: Record<string, number> = { ...law.parameters }
    this.#values = values
    for (const [name, { least, most }] of Object.entries(scene.law.parameters))
      folder.add(values, name, least, most).onChange((value: number) => this.actions.parameter(name, value))
    this.#parameters = folder
    // After "Compute", before the checks.
    this.#gui.$children.insertBefore(folder.domElement, this.#compute.domElement)
  }
}
