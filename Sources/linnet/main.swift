print("linnet")
