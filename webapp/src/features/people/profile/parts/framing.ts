/** Where the square lies: 1 to 4 times nearer, and -1 to 1 from edge to edge of what there is to move. */
export interface Framing {
  zoom: number;
  across: number;
  down: number;
}

export const start: Framing = { zoom: 1, across: 0, down: 0 };

/** The avatar's side in pixels. */
export const SIDE = 512;

/** The square of the picture that is shown, in its own pixels; it never reaches beyond the picture. */
export function crop({ width, height }: { width: number; height: number }, { zoom, across, down }: Framing) {
  const side = Math.min(width, height) / zoom;
  return { side, x: ((width - side) * (across + 1)) / 2, y: ((height - side) * (down + 1)) / 2 };
}
