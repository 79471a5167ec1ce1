/** Structured surfaces and questions as an extension sees them: what it shows, and what it asks a person. */
import type {
  CardPayload,
  FormPayload,
  NotificationPayload,
  QuestionKind,
  StatusPayload,
  SurfaceKind,
  SurfacePayloads,
} from "@reasonix-ts/protocol";

/**
 * Surface ids are the extension's own: publishing under an id that is there updates that surface in place.
 * Everything rejects with an RpcError when the host refuses it (for example without the capability `ui`).
 */
export interface Ui {
  /** Resolves with false when the host dropped the update, as it does when a newer generation has taken over. */
  publish<K extends SurfaceKind>(kind: K, surfaceId: string, payload: SurfacePayloads[K]): Promise<boolean>;
  status(surfaceId: string, payload: StatusPayload): Promise<boolean>;
  card(surfaceId: string, payload: CardPayload): Promise<boolean>;
  /** What people submit arrives at `ui.submits[surfaceId]`. */
  form(surfaceId: string, payload: FormPayload): Promise<boolean>;
  notify(payload: NotificationPayload): Promise<boolean>;
  /** Asks with one or more fields; null when nobody answered: cancelled, headless, or a reload came between. */
  ask(kind: QuestionKind, payload: FormPayload, options?: AskOptions): Promise<FormValues | null>;
  /** True or false as answered, null when nobody answered. Both of the latter are falsy: null never means yes. */
  confirm(question: Question<boolean>, options?: AskOptions): Promise<boolean | null>;
  input(question: Question<string>, options?: AskOptions): Promise<string | null>;
  select(question: Choice<string>, options?: AskOptions): Promise<string | null>;
  multiselect(question: Choice<readonly string[]>, options?: AskOptions): Promise<readonly string[] | null>;
}

export interface Question<T> {
  readonly title?: string;
  readonly message?: string;
  readonly label?: string;
  readonly default?: T;
  readonly required?: boolean;
}

export interface Choice<T> extends Question<T> {
  readonly options: readonly string[];
}

export interface AskOptions {
  /** By default every question has an id of its own. */
  readonly surfaceId?: string;
  readonly signal?: AbortSignal;
}

/** What a person filled in, by the key of the field. */
export type FormValues = { readonly [key: string]: unknown };
