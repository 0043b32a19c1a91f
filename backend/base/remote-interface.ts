/** The HTTP interface of a third party, and the credentials of the service there. */
export interface RemoteInterface {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly apiKey: string;
}
