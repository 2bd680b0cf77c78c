import type { Source } from "./plan.js";

/** How far a run has come. */
export interface RunProgress {
  readonly documents: number;
  readonly total: number;
  /** 0 to 1, by bytes; chapters of long documents count by their pages. */
  readonly share: number;
  /** Until the end, as far as the speed so far tells; absent while it tells nothing. */
  readonly secondsLeft?: number;
  /** The document that was begun last. */
  readonly current?: string;
}

/** A short document costs a start as well. */
const LEAST_WEIGHT = 4096;
/** Before so much is done the speed says nothing. */
const SECONDS = 2;
const SHARE = 0.01;

/** Estimates the end of a run by the bytes that were converted; what is reused takes no time and does not count. */
export class Estimate {
  private readonly started = performance.now();
  private documents = 0;
  private doneWeight = 0;
  /** Of that, what had to be converted. */
  private workedWeight = 0;
  private readonly totalWeight: number;
  private readonly ofParts = new Map<string, number>();
  private current: string | undefined;

  constructor(
    private readonly sources: readonly Source[],
    private readonly tell: ((progress: RunProgress) => void) | undefined,
  ) {
    this.totalWeight = sources.reduce((sum, source) => sum + weightOf(source), 0);
  }

  begin({ path }: Source): void {
    this.current = path;
    this.say();
  }

  part(path: string, weight: number, reused: boolean): void {
    this.ofParts.set(path, (this.ofParts.get(path) ?? 0) + weight);
    this.count(weight, reused);
  }

  finish(source: Source, reused: boolean): void {
    this.documents++;
    this.count(Math.max(0, weightOf(source) - (this.ofParts.get(source.path) ?? 0)), reused);
  }

  private count(weight: number, reused: boolean): void {
    this.doneWeight += weight;
    if (!reused) this.workedWeight += weight;
    this.say();
  }

  private say(): void {
    if (this.tell === undefined) return;
    const seconds = (performance.now() - this.started) / 1000;
    const share = this.totalWeight === 0 ? 1 : Math.min(1, this.doneWeight / this.totalWeight);
    const known = seconds > SECONDS && this.workedWeight > SHARE * this.totalWeight;
    const left = ((this.totalWeight - this.doneWeight) * seconds) / this.workedWeight;
    this.tell({
      documents: this.documents,
      total: this.sources.length,
      share,
      ...(known && { secondsLeft: Math.max(0, left) }),
      ...(this.current !== undefined && { current: this.current }),
    });
  }
}

function weightOf({ bytes }: Source): number {
  return Math.max(LEAST_WEIGHT, bytes);
}
