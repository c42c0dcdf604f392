// How well the buttons of a page can be seen.

/** The contrast of each button's name with the button, and of the button with what is behind it, as WCAG defines it. Runs in the page. */
export function contrastsOf(buttons: readonly Element[]): { name: string; text: number; edge: number }[] {
  type Colour = readonly [number, number, number, number]
  const colourOf = (text: string): Colour => {
    const [red = 0, green = 0, blue = 0, alpha = 1] = (text.match(/[\d.]+/g) ?? []).map(Number)
    // Mixed colours are shares of 1: `color(srgb 0.9 0.9 1 / 0.13)`.
    const most = text.startsWith('color(') ? 255 : 1
    return [most * red, most * green, most * blue, alpha]
  }
  const over = ([r, g, b, a]: Colour, [x, y, z]: Colour): Colour => [
    r * a + x * (1 - a),
    g * a + y * (1 - a),
    b * a + z * (1 - a),
    1,
  ]
  /** The colour of an element over those of all around it. */
  const backgroundOf = (element: Element | null): Colour =>
    element === null
      ? [0, 0, 0, 1]
      : over(colourOf(getComputedStyle(element).backgroundColor), backgroundOf(element.parentElement))
  const luminanceOf = ([red, green, blue]: Colour): number => {
    const linear = [red, green, blue].map((c) =>
      c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0)
  }
  const contrast = (a: Colour, b: Colour): number => {
    const [x, y] = [luminanceOf(a), luminanceOf(b)]
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
  }
  return buttons.map((button) => {
    const background = backgroundOf(button)
    const text = contrast(colourOf(getComputedStyle(button).color), background)
    return { name: button.textContent ?? '', text, edge: contrast(background, backgroundOf(button.parentElement)) }
  })
}
