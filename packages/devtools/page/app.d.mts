/** The program of the inspector's page, a classic script. */
export declare const script: string;
/** The licences of the packages in it, as text without an end of a comment. */
export declare const notices: string;
/** Its styles. */
export declare const style: string;
/** The styles of the page of an evaluation. */
export declare const evaluationStyle: string;
/** The sources of all three for a content security policy: `'sha256-…'`. */
export declare const scriptHash: string;
export declare const styleHash: string;
export declare const evaluationStyleHash: string;
