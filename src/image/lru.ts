/** A map that forgets what was asked for longest ago once it holds more than `most` values. */
export class Lru<Value> {
  private readonly values = new Map<number, Value>();

  constructor(private readonly most: number) {}

  get(key: number): Value | undefined {
    const value = this.values.get(key);
    if (value !== undefined) {
      this.values.delete(key);
      this.values.set(key, value);
    }
    return value;
  }

  set(key: number, value: Value): void {
    this.values.set(key, value);
    if (this.values.size > this.most) {
      const [oldest] = this.values.keys();
      this.values.delete(oldest!);
    }
  }
}
