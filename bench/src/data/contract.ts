/** Databases that are asked; `duckdb` is a Parquet file, which DuckDB reads. */
export const kinds = ['duckdb', 'sqlite', 'mysql', 'postgres'] as const
export type Kind = (typeof kinds)[number]

/** How the rows are come by: the driver alone, our engine, or a call of `run_sql` by the hub. */
export type Way = 'bare' | 'engine' | 'tool'

/** A table `orders`: the file's path, or the URL of its database. */
export interface Table {
  kind: Kind
  at: string
}

/** What a reader's process is made with. */
export interface Setting {
  way: Way
  table: Table
  /** That the table has. */
  rows: number
}

/** Reads the whole table so many times, one after the other. */
export interface Order {
  count: number
}

/** One of its kind is open in a process for as long as that runs. */
export interface Reader extends AsyncDisposable {
  /** Takes every row of the result, keeps none, and tells how many there were. */
  read(sql: string): Promise<number>
  /** Waits for what reading has left to be stored. */
  flush?(): Promise<void>
}
