import { useEffect, useState } from "react";
import { isThrifty } from "@/lib/thrift";
import { pictureOf } from "./files";
import { valueIn } from "./source";
import { profileSource } from "./sources";
import { useStore } from "./store";

/** The picture at an address of the API, read with the bearer, once it has come. */
export function usePicture(address: string | undefined): string | undefined {
  const [shown, setShown] = useState<{ address: string; picture: string }>();
  useEffect(() => {
    if (!address || isThrifty()) return;
    let left = false;
    pictureOf(address).then(
      (picture) => !left && setShown({ address, picture }),
      () => {},
    );
    return () => {
      left = true;
    };
  }, [address]);
  return shown && shown.address === address ? shown.picture : undefined;
}

/** The picture of the one signed in; none where they have none. */
export function useMyPicture(): string | undefined {
  return usePicture(useStore((state) => valueIn(state, profileSource)?.avatar));
}
