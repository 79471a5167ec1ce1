/** Works on several items at a time and gives the results in the order of the items. */

/** The file system answers several at once faster than one after another; more than this gains nothing. */
const WORKERS = 8;

/** After a failure no further item is begun, what runs is waited for, and the first error is thrown. */
export async function mapInOrder<Item, Value>(
  items: readonly Item[],
  work: (item: Item) => Promise<Value>,
): Promise<readonly Value[]> {
  const values: Value[] = [];
  const queue = items.entries();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (failures.length > 0) return;
      try {
        values[index] = await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  if (failures.length > 0) throw failures[0];
  return values;
}
