"""The signature of a beacon's round: BLS12-381 with signatures in G1, as RFC 9380 hashes to it.

The scheme of drand is bls-unchained-g1-rfc9380. It needs py-ecc, which the extra `fair` installs.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from hashlib import sha256
from typing import Final

_DOMAIN: Final = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"


@lru_cache(maxsize=64)
def signature_holds(key: str, number: int, signature: str) -> bool | None:
    """Whether a signature in hex is that of the round by a public key in hex; None where it cannot be checked
    here, since the library or the key is not there."""
    limit = sys.getrecursionlimit()
    try:
        from py_ecc.bls.g2_primitives import subgroup_check
        from py_ecc.bls.hash_to_curve import hash_to_G1
        from py_ecc.bls.point_compression import decompress_G1, decompress_G2
        from py_ecc.bls.typing import G1Compressed, G2Compressed
        from py_ecc.optimized_bls12_381.optimized_curve import G2, is_inf
        from py_ecc.optimized_bls12_381.optimized_pairing import pairing
    except ImportError:
        return None
    finally:
        # The library raises the limit that keeps a text nested without end from ending the process.
        sys.setrecursionlimit(limit)
    if not key:
        return None
    try:
        public, signed = bytes.fromhex(key), bytes.fromhex(signature)
        if (len(public), len(signed)) != (96, 48):
            return False
        halves = int.from_bytes(public[:48], "big"), int.from_bytes(public[48:], "big")
        signer = decompress_G2(G2Compressed(halves))
        point = decompress_G1(G1Compressed(int.from_bytes(signed, "big")))
    except ValueError:
        return False
    if is_inf(signer) or not (subgroup_check(signer) and subgroup_check(point)):
        return False
    message = sha256(number.to_bytes(8, "big")).digest()
    hashed = hash_to_G1(message, _DOMAIN, sha256)  # type: ignore[arg-type]  # it is called, as hashlib does
    return bool(pairing(G2, point) == pairing(signer, hashed))
